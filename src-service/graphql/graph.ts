import { getOperationAST, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql'
import { createYoga, isAsyncIterable } from 'graphql-yoga'
import type { AsyncIterableIteratorOrValue, Plugin } from 'graphql-yoga'
import { tenantsOf } from '../access/access.ts'
import { parseBounded } from './bounds.ts'
import type { Call } from '../call.ts'
import type { GraphContext } from '../context.ts'
import { operationCost } from './cost.ts'
import type { Charge, Ledger } from '../points/ledger.ts'
import { isWholeRefusal, requestErrors } from '../net/request-errors.ts'
import { startTextCache } from './text-cache.ts'
import { validateBounded } from './validation.ts'

/** The status that an operation gets for which the balance does not suffice. */
export type WhenEmpty = 429 | 503 | 400 | 403 | 200

const usuallyTold: Exhausted = { words: null, code: 'RATE_LIMITED', retryAfter: true }

/** Answers one GraphQL request: a JSON body and what its sender takes in, status, type and body out. */
export type Graph = (request: { body: string; accept: string }, context: GraphContext) => Promise<GraphAnswer>

type GraphAnswer = { status: number; headers: Record<string, string>; body: string }

/** Characters of the documents that are known already; read, they take up to a hundred times as much memory. */
const DOCUMENTS = 256 * 1024

type GraphOptions = {
  schema: GraphQLSchema
  /** Whether the schema is told to whoever asks. */
  introspection: boolean
  ledger: Ledger
  whenEmpty: WhenEmpty
  /** How an empty balance is told where that is not as usual. */
  exhausted?: Exhausted
}

/** The words where they differ, a code ('' for none), and whether `retry-after` is told. */
export type Exhausted = { words: string | null; code: string; retryAfter: boolean }

/** GraphQL over HTTP, without any socket: queries and mutations, each charged before it runs. */
export function makeGraph({
  schema,
  introspection,
  ledger,
  whenEmpty,
  exhausted: told = usuallyTold,
}: GraphOptions): Graph {
  const yoga = createYoga<GraphContext>({
    schema,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    // Yoga would keep a thousand of any size, an hour long.
    parserAndValidationCache: { documentCache: startTextCache(DOCUMENTS), errorCache: startTextCache(DOCUMENTS) },
    // Also where NODE_ENV says "development": what goes wrong inside shows no path.
    maskedErrors: { isDev: false },
    plugins: [
      chargeFirst(schema, ledger, whenEmpty, told),
      bounded,
      requestErrors,
      noSubscriptions,
      wholeRefusals,
      ...(introspection ? [] : [noIntrospection]),
    ],
  })
  return async ({ body, accept }, context) => {
    const headers = { accept, 'content-type': 'application/json' }
    const response = await yoga.fetch('https://service/graphql', { method: 'POST', headers, body }, context)
    const headersOut = Object.fromEntries(response.headers)
    // Whoever sends the body knows its length; a misfortune may change it on the way.
    delete headersOut['content-length']
    return { status: response.status, headers: headersOut, body: await response.text() }
  }
}

/** Spec section 8: the cost is known, and taken off the balance, before anything is resolved. */
function chargeFirst(
  schema: GraphQLSchema,
  ledger: Ledger,
  whenEmpty: WhenEmpty,
  told: Exhausted,
): Plugin<GraphContext> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { call } = args.contextValue
      // Nobody is logged in: every field that does any work refuses, so there is nothing to charge and nobody to charge it to.
      if (!call.session) return undefined
      const charge = ledger.charge(call.session.set.clientId, costOf(schema, args, tenantsOf(args.contextValue).length))
      call.charge = charge
      const refusal = refuse(charge, ledger, whenEmpty, told)
      if (refusal) setResultAndStopExecution(refusal)
      return { onExecuteDone: ({ result, setResult }) => tellBeside(call, result, setResult) }
    },
  }
}

/** Data that is there in part has its error beside it, at its own path. */
function tellBeside(
  { beside = [] }: Call,
  result: AsyncIterableIteratorOrValue<ExecutionResult>,
  setResult: (result: ExecutionResult) => void,
): void {
  if (beside.length > 0 && !isAsyncIterable(result))
    setResult({ ...result, errors: [...(result.errors ?? []), ...beside] })
}

function costOf(schema: GraphQLSchema, args: ExecutionArgs, tenants: number): number {
  return operationCost(schema, args.document, args.operationName ?? null, { ...args.variableValues }, tenants)
}

/** What an unpaid operation is answered with; null when it was paid. */
function refuse(charge: Charge, ledger: Ledger, whenEmpty: WhenEmpty, told: Exhausted): ExecutionResult | null {
  if (charge.outcome === 'paid') return null
  return charge.outcome === 'too-expensive'
    ? tooExpensive(charge.cost, ledger.costLimit)
    : exhausted(charge.secondsToReset, whenEmpty, told)
}

/** To the letter of spec section 7.3: one entry with the message, another with the code and the stack trace. */
function tooExpensive(cost: number, limit: number): ExecutionResult {
  const message = `GraphQL query cost of ${cost} points exceeds maximum cost limit of ${limit} points`
  const extensions = { code: 'INTERNAL_SERVICE_ERROR', stacktrace: [message] }
  return { errors: [new GraphQLError(message, status(400)), new GraphQLError(message, { extensions })] }
}

/** Ours: the specification does not show it, and clients of the twin tell of several (twin section 4). `retry-after` unless it is a 200. */
export function exhausted(
  secondsToReset: number,
  status: WhenEmpty,
  { words, code, retryAfter }: Exhausted = usuallyTold,
): ExecutionResult {
  const http = {
    spec: false,
    status,
    headers: retryAfter && status !== 200 ? { 'retry-after': String(secondsToReset) } : {},
  }
  const message = words ?? `Rate limit exceeded: the balance resets in ${secondsToReset} s`
  return { errors: [new GraphQLError(message, { extensions: { ...(code === '' ? {} : { code }), http } })] }
}

function status(code: number): { extensions: { http: { status: number } } } {
  return { extensions: { http: { status: code } } }
}

/** Spec section 4: subscriptions have their own address. Over HTTP they would be a response without end. */
const noSubscriptions: Plugin<GraphContext> = {
  onSubscribe({ setResultAndStopExecution }) {
    const message = 'Subscriptions are served over WebSocket'
    setResultAndStopExecution({
      errors: [new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })],
    })
  },
}

/** What is refused under a status of its own has no data beside it. */
const wholeRefusals: Plugin<GraphContext> = {
  onExecute: () => ({
    onExecuteDone({ result, setResult }) {
      if (!isAsyncIterable(result) && result.errors?.some(isWholeRefusal)) setResult({ errors: result.errors })
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

/** True when the operation that would run is a subscription. */
export function isSubscription(
  document: Parameters<typeof getOperationAST>[0],
  operationName: string | null | undefined,
): boolean {
  return getOperationAST(document, operationName)?.operation === 'subscription'
}
