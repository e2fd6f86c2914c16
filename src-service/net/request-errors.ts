import { GraphQLError } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import type { Plugin } from 'graphql-yoga'

/**
 * GraphQL over HTTP: a request in good form whose operation cannot run (there is none of that name, or its variables do
 * not fit) is told of by GraphQL: 200 under `application/json`, 400 under `application/graphql-response+json`.
 */
export const requestErrors: Plugin = {
  onParams({ params, setResult }) {
    const name: unknown = params.operationName
    if (name === undefined || name === null || typeof name === 'string') return
    setResult({
      errors: [
        new GraphQLError('operationName must be a string', {
          extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
        }),
      ],
    })
  },
  onExecutionResult({ result, setResult }) {
    if (!result || isAsyncIterable(result) || 'data' in result || !result.errors?.every(cannotRun)) return
    setResult({ ...result, errors: result.errors.map(asRequestError) })
  },
}

/** Whether an error stands for the whole answer, under a status that follows from no rule of GraphQL over HTTP. */
export function isWholeRefusal({ extensions: { http } }: Pick<GraphQLError, 'extensions'>): boolean {
  return typeof http === 'object' && http !== null && 'spec' in http && http.spec === false
}

/** What was refused before it ran brings a code or a status of its own, but for variables that do not fit. */
function cannotRun({ extensions, originalError }: GraphQLError): boolean {
  return (
    extensions['code'] === 'OPERATION_RESOLUTION_FAILURE' ||
    (extensions['code'] === undefined &&
      !isWholeRefusal({ extensions }) &&
      (originalError === undefined || originalError instanceof GraphQLError))
  )
}

function asRequestError(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, extensions } = error
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'BAD_USER_INPUT', ...extensions, http: { spec: true, status: 400 } },
  })
}

/** Over a WebSocket, where there is no status: an error for which nothing ran has the code that it has over HTTP. */
export function withRequestCode(error: GraphQLError): GraphQLError {
  return cannotRun(error) ? withCode('BAD_USER_INPUT', error) : error
}

/** The same error, with this code unless it has one. */
export function withCode(code: string, error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: { code, ...extensions },
  })
}
