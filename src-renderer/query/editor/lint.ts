import { linter, type Diagnostic } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { getSchema } from 'cm6-graphql'
import {
  GraphQLError,
  NoDeprecatedCustomRule,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'

/** Most marks of a document. */
const maxMarks = 50
/** The longest document in which fields are compared with each other, characters: that takes the square of their number. */
const maxCompared = 20_000

const withoutComparing = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)

/** Returns what is wrong with a document by its schema; first of all its syntax. A blank one has nothing wrong. */
export function problemsIn(text: string, schema: GraphQLSchema): Diagnostic[] {
  if (/^(?:\s|,|#[^\n]*)*$/u.test(text)) return []
  let document: DocumentNode
  try {
    document = parse(text)
  } catch (error) {
    return error instanceof GraphQLError ? [markOf(text, error, 'error')] : []
  }
  // A schema that is not valid has nothing to be checked by.
  const found = (rules: typeof specifiedRules) => {
    try {
      return validate(schema, document, rules, { maxErrors: maxMarks })
    } catch {
      return []
    }
  }
  return [
    ...found(text.length > maxCompared ? withoutComparing : specifiedRules).map((error) =>
      markOf(text, error, 'error'),
    ),
    ...found([NoDeprecatedCustomRule]).map((error) => markOf(text, error, 'warning')),
  ]
}

function markOf(
  text: string,
  { message, nodes, positions }: GraphQLError,
  severity: Diagnostic['severity'],
): Diagnostic {
  const [node] = nodes ?? []
  const name = node !== undefined && 'name' in node ? node.name : undefined
  const at = Math.min(name?.loc?.start ?? positions?.[0] ?? 0, text.length)
  const word = /^\w+/u.exec(text.slice(at, at + 200))?.[0].length ?? 1
  const to = Math.min(text.length, name?.loc?.end ?? at + word)
  return { from: Math.min(at, Math.max(0, to - 1)), to, severity, message }
}

/** Marks what is wrong with a document, a while after the last change. */
export const schemaLint: Extension = linter(
  ({ state }) => {
    const schema = getSchema(state)
    return schema ? problemsIn(state.doc.toString(), schema) : []
  },
  { needsRefresh: ({ startState, state }) => getSchema(startState) !== getSchema(state) },
)
