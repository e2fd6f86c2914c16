import type { Exhausted } from '../../../graphql/graph.ts'
import type { Answer } from '../../../net/wire.ts'
import type { Contrary } from '../contrary.ts'

/** Returns the form in which an empty balance is reported. */
export function exhaustedAs({ is }: Contrary): Exhausted {
  const words = { limit: null, quota: 'You have used up your quota. Come back later.', none: 'Request failed' }
  return { message: words[is.exhaustedWords], code: is.exhaustedCode, retryAfter: is.retryAfter }
}

const types: Record<Exclude<Contrary['is']['contentType'], 'plain'>, string> = {
  'graphql-response': 'application/graphql-response+json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/**
 * Returns the answer with errors and content type in another form. The cost rejection keeps its documented one (section
 * 7.3).
 */
export function shaped(contrary: Contrary, answer: Answer): Answer {
  return withErrorShape(contrary, { ...answer, status: statusOf(contrary, answer) })
}

/** Returns the status, which may be that of a missing permission. */
function statusOf({ is }: Contrary, { status, body }: Answer): number {
  return status === 200 && body.includes('"code":"FORBIDDEN"') ? is.forbiddenStatus : status
}

function withErrorShape({ is }: Contrary, answer: Answer): Answer {
  const headers =
    is.contentType === 'plain' ? answer.headers : { ...answer.headers, 'content-type': types[is.contentType] }
  if (
    is.errorShape === 'plain' ||
    !answer.body.includes('"errors"') ||
    answer.body.includes('exceeds maximum cost limit')
  )
    return { ...answer, headers }
  const body: unknown = JSON.parse(answer.body)
  return {
    ...answer,
    headers,
    body: JSON.stringify(
      Array.isArray(body) ? body.map((one) => withErrors(one, is.errorShape)) : withErrors(body, is.errorShape),
    ),
  }
}

function withErrors(body: unknown, shape: Contrary['is']['errorShape']): unknown {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return body
  const errors = body.errors.map((error: Record<string, unknown>) => shapes[shape](error))
  return { ...body, errors, ...(shape === 'more' ? { extensions: { requestId: 'b1946ac9', warnings: [] } } : {}) }
}

/** A field's error keeps its path in every form, as GraphQL requires. */
const shapes: Record<Contrary['is']['errorShape'], (error: Record<string, unknown>) => unknown> = {
  plain: (error) => error,
  'message-only': ({ message, path }) => ({ message, ...(path === undefined ? {} : { path }) }),
  'null-extensions': (error) => ({ ...error, extensions: null, locations: null }),
  more: (error) => ({
    ...error,
    locations: [{ line: 0, column: 0 }],
    errorType: 'ServiceError',
    errorInfo: { retryable: true },
  }),
}
