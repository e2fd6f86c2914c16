import { getOperationAST, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql'
import { createYoga, isAsyncIterable } from 'graphql-yoga'
import type { AsyncIterableIteratorOrValue, Plugin } from 'graphql-yoga'
import { tenantsOf } from '../access/access.ts'
import { parseBounded } from './bounds.ts'
import type { Call } from './call.ts'
import type { GraphContext } from './context.ts'
import { operationCost } from './points/cost.ts'
import type { Charge, Ledger } from './points/ledger.ts'
import { isWholeRejection, requestErrors } from '../net/request-errors.ts'
import { startTextCache } from './text-cache.ts'
import { validateBounded } from './validation.ts'

/** The status of a rejection for an empty balance. */
export type WhenEmpty = 429 | 503 | 400 | 403 | 200

const usualForm: Exhausted = { message: null, code: 'RATE_LIMITED', retryAfter: true }

/** Answers one GraphQL request: a JSON body and the header `accept` in; status, headers and body out. */
export type Graph = (request: { body: string; accept: string }, context: GraphContext) => Promise<GraphAnswer>

type GraphAnswer = { status: number; headers: Record<string, string>; body: string }

/** Characters of the cached documents; parsed, they take up to a hundred times as much memory. */
const DOCUMENTS = 256 * 1024

type GraphOptions = {
  schema: GraphQLSchema
  /** True when introspection is allowed. */
  introspection: boolean
  ledger: Ledger
  whenEmpty: WhenEmpty
  /** The form of the rejection for an empty balance, where it is not the usual one. */
  exhausted?: Exhausted
}

/** The message where it differs, a code ('' for none), and whether `retry-after` is sent. */
export type Exhausted = { message: string | null; code: string; retryAfter: boolean }

/** Returns GraphQL over HTTP without a socket: queries and mutations, each charged before it runs. */
export function makeGraph({
  schema,
  introspection,
  ledger,
  whenEmpty,
  exhausted: form = usualForm,
}: GraphOptions): Graph {
  const yoga = createYoga<GraphContext>({
    schema,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    // Yoga's own cache would keep a thousand of any size for an hour.
    parserAndValidationCache: { documentCache: startTextCache(DOCUMENTS), errorCache: startTextCache(DOCUMENTS) },
    // Independent of NODE_ENV "development": internal errors show no path.
    maskedErrors: { isDev: false },
    plugins: [
      chargeFirst(schema, ledger, whenEmpty, form),
      bounded,
      requestErrors,
      noSubscriptions,
      wholeRejections,
      ...(introspection ? [] : [noIntrospection]),
    ],
  })
  return async ({ body, accept }, context) => {
    const headers = { accept, 'content-type': 'application/json' }
    const response = await yoga.fetch('https://service/graphql', { method: 'POST', headers, body }, context)
    const headersOut = Object.fromEntries(response.headers)
    // The sender of the body sets its length; a misfortune may change it on the way.
    delete headersOut['content-length']
    return { status: response.status, headers: headersOut, body: await response.text() }
  }
}

/** Charges each operation before anything is resolved (spec section 8). */
function chargeFirst(
  schema: GraphQLSchema,
  ledger: Ledger,
  whenEmpty: WhenEmpty,
  form: Exhausted,
): Plugin<GraphContext> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { call } = args.contextValue
      // Without a login every protected field is rejected, so nothing is charged.
      if (!call.session) return undefined
      const charge = ledger.charge(call.session.set.clientId, costOf(schema, args, tenantsOf(args.contextValue).length))
      call.charge = charge
      const refusal = refuse(charge, ledger, whenEmpty, form)
      if (refusal) setResultAndStopExecution(refusal)
      return { onExecuteDone: ({ result, setResult }) => addErrors(call, result, setResult) }
    },
  }
}

/** Adds the errors of partial data at their own paths. */
function addErrors(
  { extraErrors = [] }: Call,
  result: AsyncIterableIteratorOrValue<ExecutionResult>,
  setResult: (result: ExecutionResult) => void,
): void {
  if (extraErrors.length > 0 && !isAsyncIterable(result))
    setResult({ ...result, errors: [...(result.errors ?? []), ...extraErrors] })
}

function costOf(schema: GraphQLSchema, args: ExecutionArgs, tenants: number): number {
  return operationCost(schema, args.document, args.operationName ?? null, { ...args.variableValues }, tenants)
}

/** Returns the answer to an unpaid operation; null when it was paid. */
function refuse(charge: Charge, ledger: Ledger, whenEmpty: WhenEmpty, form: Exhausted): ExecutionResult | null {
  if (charge.outcome === 'paid') return null
  return charge.outcome === 'too-expensive'
    ? tooExpensive(charge.cost, ledger.costLimit)
    : exhausted(charge.secondsToReset, whenEmpty, form)
}

/**
 * Returns the literal rejection of spec section 7.3: one entry with the message, another with the code and the stack
 * trace.
 */
function tooExpensive(cost: number, limit: number): ExecutionResult {
  const message = `GraphQL query cost of ${cost} points exceeds maximum cost limit of ${limit} points`
  const extensions = { code: 'INTERNAL_SERVICE_ERROR', stacktrace: [message] }
  return { errors: [new GraphQLError(message, status(400)), new GraphQLError(message, { extensions })] }
}

/**
 * Returns the rejection for an empty balance. It is ours: the specification does not show it, and clients of the twin
 * report several forms (twin section 4). With `retry-after` unless the status is 200.
 */
export function exhausted(
  secondsToReset: number,
  status: WhenEmpty,
  { message: text, code, retryAfter }: Exhausted = usualForm,
): ExecutionResult {
  const http = {
    spec: false,
    status,
    headers: retryAfter && status !== 200 ? { 'retry-after': String(secondsToReset) } : {},
  }
  const message = text ?? `Rate limit exceeded: the balance resets in ${secondsToReset} s`
  return { errors: [new GraphQLError(message, { extensions: { ...(code === '' ? {} : { code }), http } })] }
}

function status(code: number): { extensions: { http: { status: number } } } {
  return { extensions: { http: { status: code } } }
}

/**
 * Rejects subscriptions over HTTP, where they would be an endless response; they have their own address (spec section
 * 4).
 */
const noSubscriptions: Plugin<GraphContext> = {
  onSubscribe({ setResultAndStopExecution }) {
    const message = 'Subscriptions are served over WebSocket'
    setResultAndStopExecution({
      errors: [new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })],
    })
  },
}

/** Removes the data of a rejection with its own status. */
const wholeRejections: Plugin<GraphContext> = {
  onExecute: () => ({
    onExecuteDone({ result, setResult }) {
      if (!isAsyncIterable(result) && result.errors?.some(isWholeRejection)) setResult({ errors: result.errors })
    },
  }),
}

const bounded: Plugin<GraphContext> = {
  onParse: ({ setParseFn }) => setParseFn(parseBounded),
  onValidate: ({ setValidationFn }) => setValidationFn(validateBounded),
}

const noIntrospection: Plugin<GraphContext> = {
  onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
}

/** Returns true when the operation that would run is a subscription. */
export function isSubscription(
  document: Parameters<typeof getOperationAST>[0],
  operationName: string | null | undefined,
): boolean {
  return getOperationAST(document, operationName)?.operation === 'subscription'
}
