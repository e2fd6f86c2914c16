import { GraphQLError } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import type { Plugin } from 'graphql-yoga'

/**
 * GraphQL over HTTP: a valid request whose operation cannot run (unknown name, invalid variables) gets a GraphQL error:
 * 200 under `application/json`, 400 under `application/graphql-response+json`.
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

/** Returns whether an error stands for the whole answer, under a status outside of GraphQL over HTTP. */
export function isWholeRejection({ extensions: { http } }: Pick<GraphQLError, 'extensions'>): boolean {
  return typeof http === 'object' && http !== null && 'spec' in http && http.spec === false
}

/**
 * Returns whether an operation could not run. Other early rejections have their own code or status, except invalid
 * variables.
 */
function cannotRun({ extensions, originalError }: GraphQLError): boolean {
  return (
    extensions['code'] === 'OPERATION_RESOLUTION_FAILURE' ||
    (extensions['code'] === undefined &&
      !isWholeRejection({ extensions }) &&
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

/** Returns the error with the code that it has over HTTP, where nothing ran; for WebSockets, which have no status. */
export function withRequestCode(error: GraphQLError): GraphQLError {
  return cannotRun(error) ? withCode('BAD_USER_INPUT', error) : error
}

/** Returns the same error, with this code unless it has one. */
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
