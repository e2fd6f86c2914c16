import {
  Kind,
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { own } from '../../../src-shared/lib/own.ts'
import { fragmentsIn } from './fragments.ts'

/** A field that an operation selects, once for each place where the service would resolve it. */
export interface Selected {
  /** Names of the fields down to this one. */
  path: readonly string[]
  isObject: boolean
  /** The field repeats its selection for each item of a page. */
  isPage: boolean
  /** How often it is resolved: `times` × size^`power`, where size is the operation's page size. */
  times: number
  power: number
  /** Where it is written, with those of the same response key. */
  nodes: readonly FieldNode[]
  /** Position of the field that contains it in the list; null at the root. */
  parent: number | null
}

/** What the page sizes of an operation depend on. */
export interface Sizes {
  /** The operation's page size (`pageSizeOf`). */
  size: number
  /** Null: unknown, as for a document that is sent with several. */
  variables: Record<string, unknown> | null
}

/** The field that documented connections repeat for each item (service-spec.md, section 2). */
export const pageField = 'edges'
/** The member of a search's parameters with the page size (service-twin.md, section 6). */
export const sizeMember = 'pageSize'
/** The page size where the operation does not set one (service-twin.md, section 6). */
export const defaultPageSize = 10

/** Most fields that are looked at, with fragments expanded. */
const maxFields = 5_000
/** Most selections that are looked at for them: a fragment counts wherever it is spread. */
const maxVisits = 20_000
/** No page is larger than this for the estimate, so that products stay numbers. */
const maxSize = 1e6

interface Walk extends Sizes {
  fragments: ReturnType<typeof fragmentsIn>
  found: Selected[]
  visits: number
}

interface Place {
  path: readonly string[]
  times: number
  power: number
  /** Page size of the enclosing field. */
  page: Page
  parent: number | null
}

/** A page of `factor` × the operation's page size, or of `factor` items. */
interface Page {
  factor: number
  isSized: boolean
}

const usualPage: Page = { factor: defaultPageSize, isSized: false }

/**
 * Returns the fields of an operation, with fragments expanded and those of the same response key merged, as a service
 * resolves them. Null: there are too many.
 */
export function selectedBy(tree: DocumentNode, operation: OperationDefinitionNode, sizes: Sizes): Selected[] | null {
  const walk: Walk = { ...sizes, fragments: fragmentsIn(tree), found: [], visits: 0 }
  const root: Place = { path: [], times: 1, power: 0, page: usualPage, parent: null }
  return visitSets(walk, [operation.selectionSet], root) ? walk.found : null
}

/** Returns false where there are too many fields. */
function visitSets(walk: Walk, sets: readonly SelectionSetNode[], place: Place): boolean {
  const merged = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): boolean =>
    selections.every((node) => {
      walk.visits += 1
      if (walk.visits > maxVisits) return false
      if (!isIncluded(walk, node.directives ?? [])) return true
      if (node.kind === Kind.INLINE_FRAGMENT) return collect(node.selectionSet)
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value
        const same = merged.get(key)
        if (same === undefined) merged.set(key, [node])
        else same.push(node)
        return true
      }
      const name = node.name.value
      const fragment = walk.fragments.get(name)
      if (fragment === undefined || spread.has(name)) return true
      spread.add(name)
      return collect(fragment.selectionSet)
    })
  return sets.every(collect) && [...merged.values()].every((nodes) => visitField(walk, nodes, place))
}

function visitField(walk: Walk, nodes: FieldNode[], place: Place): boolean {
  const [node] = nodes
  if (node === undefined) return true
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const [name, isObject] = [node.name.value, sets.length > 0]
  const isPage = isObject && name === pageField
  const path = [...place.path, name]
  if (walk.found.length >= maxFields || path.length > maxDepth) return false
  walk.found.push({
    path,
    isObject,
    isPage,
    times: place.times,
    power: place.power,
    nodes,
    parent: place.parent,
  })
  if (!isObject) return true
  const { factor, isSized } = isPage ? place.page : { factor: 1, isSized: false }
  return visitSets(walk, sets, {
    path,
    times: place.times * factor,
    power: place.power + (isSized ? 1 : 0),
    page: pageOf(walk, node.arguments ?? []),
    parent: walk.found.length - 1,
  })
}

/** Deepest selection that is looked at: the service rejects a much less deep one. */
const maxDepth = 100

function pageOf(walk: Walk, given: readonly ArgumentNode[]): Page {
  for (const { name, value } of given) {
    const page = name.value === sizeMember ? pageIn(walk, value) : pageWithin(walk, value, 0)
    if (page !== null) return page
  }
  return usualPage
}

/** Returns the page size in a search's parameters; null: there is none. */
function pageWithin(walk: Walk, value: ValueNode, depth: number): Page | null {
  if (depth > 4) return null
  if (value.kind === Kind.VARIABLE) {
    if (walk.variables === null) return { factor: 1, isSized: true }
    const given = own(walk.variables, value.name.value)
    const size = typeof given === 'object' && given !== null ? own(given as Record<string, unknown>, sizeMember) : null
    return typeof size === 'number' ? sized(walk, size) : null
  }
  if (value.kind !== Kind.OBJECT) return null
  for (const field of value.fields) {
    const page = field.name.value === sizeMember ? pageIn(walk, field.value) : pageWithin(walk, field.value, depth + 1)
    if (page !== null) return page
  }
  return null
}

function pageIn(walk: Walk, value: ValueNode): Page | null {
  if (value.kind === Kind.INT) return sized(walk, Number(value.value))
  if (value.kind !== Kind.VARIABLE) return null
  if (walk.variables === null) return { factor: 1, isSized: true }
  const size = own(walk.variables, value.name.value)
  return typeof size === 'number' ? sized(walk, size) : null
}

const sized = ({ size }: Walk, value: number): Page => ({
  factor: within(value) / within(size),
  isSized: true,
})

const within = (size: number): number => (size >= 1 ? Math.min(size, maxSize) : 1)

function isIncluded({ variables }: Walk, directives: readonly DirectiveNode[]): boolean {
  return directives.every(({ name, arguments: given }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true
    const value = given?.find((one) => one.name.value === 'if')?.value
    const condition =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE && variables !== null
          ? own(variables, value.name.value)
          : undefined
    return condition !== (name.value === 'skip')
  })
}
