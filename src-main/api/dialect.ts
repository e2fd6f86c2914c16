import { Kind, parse, print, visit, type FieldNode } from 'graphql'
import { baseFields } from '../../src-shared/model/base-fields.ts'
import type { ServiceError } from './classify.ts'
import { mentionsDepth } from './depth.ts'
import { mentionsParts, unknownFields } from './unknown-fields.ts'
import { wantedTypes, withTypes } from './variable-types.ts'

/**
 * The fields of Muster's documents that a service lacks, and its largest page size: learned from its rejections and its
 * schema, stored over a restart. A sync works without any non-essential field (design, invariant 14).
 */
export interface Dialect {
  /**
   * Returns the document without the fields that the service lacks. `doubt`: also requests the search's own `error`,
   * unless the service rejected it.
   */
  adapted(document: string, doubt?: boolean): string
  /**
   * Learns from a rejection of this document which fields the service does not know, and which types it wants for
   * variables. Returns whether anything was learned: then `adapted` returns another document.
   */
  learn(document: string, errors: readonly ServiceError[]): boolean
  /** Records that the service accepted this document: fields that were tried again exist. */
  accepted(document: string): void
  /** Returns whether it is known if a search has an `error`: then each sync requests it, or there is none. */
  knowsError(): boolean
  /** Records the schema's device fields (empty: unknown), and whether a search has an `error` (null: unknown). */
  describe(deviceFields: readonly string[], error: boolean | null): void
  /** Returns the names of the base device fields that the service lacks, `site.name` for a member. */
  notOffered(): string[]
  /** Returns the largest accepted page size after a larger one was rejected; null while none was. */
  pageLimit(): number | null
  /** Records that a page of this size was accepted after a larger one was rejected for its size. */
  limitPages(size: number): void
  stored(): StoredDialect
}

/**
 * `lacks`: paths and when they were learned (ms since the epoch). `types`: of variables, where the service wants other
 * ones. `error`: true when a search has one; null while unknown. `errorParts`: it is an object.
 */
export interface StoredDialect {
  lacks: [path: string, at: number][]
  error: boolean | null
  errorParts?: boolean | undefined
  pageLimit: number | null
  types?: [variable: string, type: string][] | undefined
}

/**
 * A variable's type changes at most once in this many ms, so that a service that alternates between two types is not
 * asked without end.
 */
const minTypeChangeMs = 60_000

/** A service may be upgraded: a missing field is requested again after this many ms. The schema reports it each day. */
const retryMs = 36 * 60 * 60_000

/** The paths of the documents' parts, and their short names here. */
const search = 'tenant.inventory.deviceSearch'
const roots: readonly [string, string][] = [
  [`${search}.edges.node.`, 'device.'],
  [`${search}.`, 'search.'],
  ['tenants.', 'tenant.'],
  ['deviceStream.', 'event.'],
]
const shortOf = (path: string): string => {
  const [prefix, short] = roots.find(([root]) => path.startsWith(root)) ?? ['', '']
  return short + path.slice(prefix.length)
}

/** Paths that a sync can do without. */
const droppable: ReadonlySet<string> = new Set([
  'tenant.name',
  'tenant.region',
  'tenant.region.id',
  ...baseFields.map((field) => `device.${field}`),
  ...['siteId', 'roomId', 'site', 'room', 'site.id', 'site.name', 'room.id', 'room.name'].map(
    (name) => `event.${name}`,
  ),
  'device.site.id',
  'device.site.name',
  'device.room.id',
  'device.room.name',
  'search.pageInfo',
  'search.pageInfo.totalCount',
  'search.pageInfo.countOnPage',
  'search.pageInfo.nextToken',
  'search.pageInfo.hasNextPage',
  'search.nextToken',
  'search.hasNextPage',
  'search.totalCount',
  'search.error',
  'search.error.message',
  'search.error.code',
])
/**
 * The deepest parts of a document, which are not needed to watch devices: left out where a service rejects the depth.
 */
const deepestParts: readonly string[] = ['device.site', 'device.room']

interface State {
  now: () => number
  lacks: Map<string, number>
  types: Map<string, { type: string; at: number }>
  error: boolean | null
  errorParts: boolean
  pageLimit: number | null
  adapted: Map<string, string>
  onChange: (added: readonly string[]) => void
}

/**
 * Creates a dialect. `onChange` receives the names of newly missing fields as in `notOffered` (`pageInfo.totalCount`
 * for a field that is no device's); an empty list where something else changed. `now` in ms.
 */
export function createDialect({
  now = Date.now,
  stored,
  onChange = () => {},
}: { now?: () => number; stored?: StoredDialect; onChange?: (added: readonly string[]) => void } = {}): Dialect {
  const state: State = {
    now,
    // An older version recorded an `error` that is an object as missing.
    lacks: new Map(
      stored?.lacks.filter(([path]) => droppable.has(path) && (path !== 'search.error' || isSure(stored))),
    ),
    types: new Map(stored?.types?.map(([name, type]) => [name, { type, at: -Infinity }])),
    error: isSure(stored) ? (stored?.error ?? null) : null,
    errorParts: stored?.errorParts ?? false,
    pageLimit: stored?.pageLimit ?? null,
    adapted: new Map(),
    onChange,
  }
  return {
    adapted: (document, doubt = false) => adapt(state, document, doubt),
    learn: (document, errors) => learnFrom(state, document, errors),
    accepted(document) {
      if (state.error === null && document.includes('error') && includes(document, 'search.error')) {
        state.error = true
        changed(state, [])
      }
      restore(state, (path) => isOld(state, path) && includes(document, path))
    },
    knowsError: () => state.error !== null,
    describe(fields, error) {
      if (error !== null) state.error = error
      if (fields.length === 0) return changed(state, [])
      const offered = new Set(fields)
      const base = [...droppable].filter((path) => /^device\.\w+$/.test(path))
      restore(state, (path) => base.includes(path) && offered.has(path.slice('device.'.length)))
      lack(
        state,
        base.filter((path) => !offered.has(path.slice('device.'.length))),
      )
    },
    notOffered: () =>
      [...state.lacks.keys()]
        .filter((path) => path.startsWith('device.'))
        .map(nameOf)
        .toSorted(),
    pageLimit: () => state.pageLimit,
    limitPages(size) {
      if (state.pageLimit === size) return
      state.pageLimit = Math.max(1, Math.floor(size))
      changed(state, [])
    },
    stored: () => ({
      lacks: [...state.lacks],
      types: [...state.types].map(([name, { type }]) => [name, type]),
      error: state.error,
      errorParts: state.errorParts,
      pageLimit: state.pageLimit,
    }),
  }
}

/** Learns from an answer about the service's schema. Returns true when the document is another one now. */
function learnFrom(state: State, document: string, errors: Parameters<Dialect['learn']>[1]): boolean {
  const isTyped = setTypes(state, wantedTypes(document, errors))
  const unknown = unknownFields(document, errors).map(shortOf)
  const hasParts =
    !state.errorParts && unknown.includes('search.error') && errors.some(({ message }) => mentionsParts(message))
  if (hasParts) {
    state.errorParts = true
    changed(state, [])
  }
  const isDepthReduced =
    errors.some(({ message }) => mentionsDepth(message)) &&
    lack(
      state,
      deepestParts.filter((path) => includes(document, path)),
    )
  return (
    lack(state, hasParts ? unknown.filter((path) => path !== 'search.error') : unknown) ||
    hasParts ||
    isDepthReduced ||
    isTyped
  )
}

const isSure = (stored: StoredDialect | undefined): boolean =>
  stored?.error !== false || stored.errorParts !== undefined

const nameOf = (path: string): string => path.replace(/^(device|search)\./, '')

function changed(state: State, added: readonly string[]): void {
  state.adapted.clear()
  state.onChange(added)
}

function isOld({ now, lacks }: State, path: string): boolean {
  const age = now() - (lacks.get(path) ?? Infinity)
  return age > retryMs
}

/** Records missing fields. Returns true when documents change by it. */
function lack(state: State, paths: readonly string[]): boolean {
  const found = paths.filter((path) => droppable.has(path))
  const added = found.filter((path) => !state.lacks.has(path))
  const retried = found.filter((path) => isOld(state, path))
  for (const path of found) state.lacks.set(path, state.now())
  if (found.includes('search.error')) state.error = false
  if (added.length + retried.length > 0)
    changed(state, added.filter((path) => !/^(search\.error|event\.)/.test(path)).map(nameOf))
  return added.length + retried.length > 0
}

/** Records wanted types. Returns true when documents change by it. */
function setTypes(state: State, types: readonly (readonly [name: string, type: string])[]): boolean {
  const added = types.filter(([name]) => state.now() - (state.types.get(name)?.at ?? -Infinity) > minTypeChangeMs)
  for (const [name, type] of added) state.types.set(name, { type, at: state.now() })
  if (added.length > 0) changed(state, [])
  return added.length > 0
}

function restore(state: State, which: (path: string) => boolean): void {
  const restored = [...state.lacks.keys()].filter(which)
  for (const path of restored) state.lacks.delete(path)
  if (restored.length > 0) changed(state, [])
}

function adapt(state: State, document: string, doubt: boolean): string {
  const asksError = state.error === true || (state.error === null && doubt)
  const key = `${asksError} ${document}`
  const known = state.adapted.get(key)
  // A stored text would hide a field that is due to be tried again.
  if (known !== undefined && ![...state.lacks.keys()].some((path) => isOld(state, path))) return known
  const lacks = new Set([...state.lacks.keys()].filter((path) => !isOld(state, path)))
  const text =
    lacks.size === 0 && !asksError && state.types.size === 0
      ? document
      : rewritten(
          document,
          lacks,
          asksError ? [errorField(state.errorParts, lacks)] : [],
          new Map([...state.types].map(([name, { type }]) => [name, type])),
        )
  state.adapted.set(key, text)
  return text
}

function rewritten(
  document: string,
  lacks: ReadonlySet<string>,
  error: readonly FieldNode[],
  types: ReadonlyMap<string, string>,
): string {
  const above: string[] = []
  const at = () => above.join('.')
  return print(
    visit(withTypes(parse(document, { noLocation: true }), types), {
      Field: {
        enter(node: FieldNode) {
          above.push(node.name.value)
          if (!lacks.has(shortOf(at()))) return undefined
          above.pop()
          return null
        },
        leave(node: FieldNode) {
          const path = at()
          above.pop()
          if (path === search && node.selectionSet !== undefined)
            return withFields(node, [...pagingBeside(lacks).map((name) => fieldOf(name)), ...error])
          // An object without any known member is left out.
          return node.selectionSet?.selections.length === 0 ? null : undefined
        },
      },
    }),
  )
}

/**
 * Returns the paging fields that stand in the search itself: where there is no `pageInfo`, or no token in it, public
 * services of this kind have them there.
 */
function pagingBeside(lacks: ReadonlySet<string>): string[] {
  const names = lacks.has('search.pageInfo')
    ? ['nextToken', 'hasNextPage', 'totalCount']
    : lacks.has('search.pageInfo.nextToken')
      ? ['nextToken']
      : []
  return names.filter((name) => !lacks.has(`search.${name}`))
}

/** Returns the search's own error field: for an object its usual members, or `__typename` where it has none of them. */
function errorField(hasParts: boolean, lacks: ReadonlySet<string>): FieldNode {
  const parts = ['message', 'code'].filter((name) => !lacks.has(`search.error.${name}`))
  return fieldOf('error', hasParts ? (parts.length > 0 ? parts : ['__typename']) : [])
}

const fieldOf = (value: string, parts: readonly string[] = []): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value },
  ...(parts.length > 0 && {
    selectionSet: { kind: Kind.SELECTION_SET, selections: parts.map((part) => fieldOf(part)) },
  }),
})

function withFields(node: FieldNode, more: readonly FieldNode[]): FieldNode {
  const { selectionSet } = node
  return selectionSet === undefined || more.length === 0
    ? node
    : { ...node, selectionSet: { ...selectionSet, selections: [...selectionSet.selections, ...more] } }
}

function includes(document: string, short: string): boolean {
  let found = false
  const above: string[] = []
  visit(parse(document, { noLocation: true }), {
    Field: {
      enter(node: FieldNode) {
        above.push(node.name.value)
        found ||= shortOf(above.join('.')) === short
      },
      leave: () => void above.pop(),
    },
  })
  return found
}
