import { GraphQLError, parse } from 'graphql'

/**
 * The form of a file with several operations: GraphQL whose comments say where each operation begins. It round-trips: what was printed
 * is read again letter by letter.
 *
 *     # muster-operation: Devices by model
 *     # folder: Fleet
 *     # variables:
 *     #   {"tenantId": "acme"}
 *     # draft
 *     # document:
 *     query DevicesByModel($tenantId: ID!) { … }
 *
 * `folder`, `variables` and `draft` (the document is no GraphQL yet) may be left out, and so may `document:` before a first line that is
 * no such comment. A document ends before the line break that precedes an empty line and the next operation, or at the last line break of the
 * file. A line of a document that itself begins with `# muster-operation:` has a backslash before `muster`.
 */
export const marks = {
  begin: '# muster-operation: ',
  folder: '# folder: ',
  variables: '# variables:',
  value: '#   ',
  draft: '# draft',
  document: '# document:',
  /** A line to be escaped: the mark, after any number of backslashes. */
  escapable: /^(# )(?=\\*muster-operation: )/u,
  escaped: /^(# )\\(?=\\*muster-operation: )/u,
} as const

/** Most tokens of one document, as for one that is run (pacing/cost/shape.ts). */
export const maxTokens = 20_000

/** Returns why a document is no GraphQL, with its line (from 1); null: it is. */
export function syntaxProblem(document: string): { line: number; words: string } | null {
  try {
    parse(document, { noLocation: true, maxTokens })
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Returns what an error of the parser says. */
export function problemOf(error: unknown): { line: number; words: string } {
  if (error instanceof GraphQLError) return { line: error.locations?.[0]?.line ?? 1, words: error.message }
  if (error instanceof RangeError) return { line: 1, words: 'It is nested too deeply.' }
  throw error
}
