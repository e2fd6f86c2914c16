import { Kind, parse, parseType, print, visit, type DocumentNode, type VariableDefinitionNode } from 'graphql'
import type { ServiceError } from './classify.ts'

/**
 * Messages by which servers report a variable of the wrong type: those of JavaScript, Go and Python, that of Ruby, and
 * that of Java, which does not name it.
 */
const mismatches: readonly RegExp[] = [
  /variable ["'`]?\$(?<name>\w{1,80})["'`]? of type ["'`](?<given>[\w![\]]{1,80})["'`] used in position expecting type ["'`](?<wanted>[\w![\]]{1,80})["'`]/i,
  /type mismatch on variable \$(?<name>\w{1,80}) and argument \w{1,80} \((?<given>[\w![\]]{1,80}) \/ (?<wanted>[\w![\]]{1,80})\)/i,
  /variable type ["'`](?<given>[\w![\]]{1,80})["'`] does not match expected type ["'`](?<wanted>[\w![\]]{1,80})["'`]/i,
]
/** Scalars that cannot hold an id. */
const otherScalars: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean'])

type Groups = Partial<Record<string, string>>

/**
 * Returns the types that the service wants for variables of this document, where it rejected the declared ones: another
 * name or nullability, never a list for a single value.
 */
export function wantedTypes(document: string, errors: readonly ServiceError[]): [name: string, type: string][] {
  const found = errors.flatMap(({ message }) =>
    mismatches.flatMap((pattern): Groups[] => [pattern.exec(message)?.groups ?? []].flat()),
  )
  if (found.length === 0) return []
  const declared = definitionsIn(parse(document, { noLocation: true })).map(
    (node) => [node.variable.name.value, print(node.type)] as const,
  )
  return found.flatMap(({ name, given = '', wanted = '' }): [string, string][] => {
    const [own, ...others] = declared.filter(([each, type]) => type === given && (name === undefined || name === each))
    return own !== undefined && others.length === 0 && isCompatible(given, wanted) ? [[own[0], wanted]] : []
  })
}

const definitionsIn = ({ definitions }: DocumentNode): readonly VariableDefinitionNode[] =>
  definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : []))

const form = /^(\[?)[A-Za-z_]\w*(!?)(\]?)(!?)$/

function isCompatible(given: string, wanted: string): boolean {
  const [one, other] = [form.exec(given), form.exec(wanted)]
  return (
    one !== null &&
    other !== null &&
    one[1] === other[1] &&
    other[3] === (other[1] === '' ? '' : ']') &&
    !otherScalars.has(wanted.replaceAll(/\W/g, ''))
  )
}

/** Returns the document with these types in place of its own. */
export function withTypes(document: DocumentNode, types: ReadonlyMap<string, string>): DocumentNode {
  return visit(document, {
    VariableDefinition(node: VariableDefinitionNode) {
      const type = types.get(node.variable.name.value)
      return type === undefined ? undefined : { ...node, type: parseType(type, { noLocation: true }) }
    },
  })
}
