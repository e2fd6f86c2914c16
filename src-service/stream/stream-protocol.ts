import { GraphQLError } from 'graphql'
import type { DocumentNode, ExecutionArgs, GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws'
import type { SubscribePayload } from 'graphql-ws'
import { nestsTooDeep, parseBounded } from '../graphql/bounds.ts'
import type { Call } from '../graphql/call.ts'
import type { GraphContext } from '../graphql/context.ts'
import { initRejection } from '../faults/contrary/transport/sockets.ts'
import { idsIn, reshapeEvent } from '../faults/contrary/transport/stream.ts'
import { subscribeOnce } from './event-stream.ts'
import { isSubscription } from '../graphql/graph.ts'
import { withCode, withRequestCode } from '../net/request-errors.ts'
import type { Reader } from './streams.ts'
import type { Session, Tokens } from '../access/tokens.ts'
import { validateBounded } from '../graphql/validation.ts'

export type ProtocolOptions = {
  schema: GraphQLSchema
  tokens: Tokens
  context: Omit<GraphContext, 'call'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** One open socket, for the protocol. */
export type ProtocolPeer = {
  /** The header of the upgrade. */
  authorization: string | undefined
  /**
   * Returns the playground session of the browser that opened it; null for any other client, and when it has expired.
   */
  loginSession(): Session | null
  /** True when it was accepted by that session, without a token. */
  byLogin: boolean
  /** Null until its token is accepted. */
  session: Session | null
  /** True once it has sent `connection_init`. */
  initReceived: boolean
  reader: Reader
  send(text: string): Promise<void>
  close(code: number, reason: string): void
  /** Ends the connection without a close frame. */
  cut(): void
}

export type Listener = {
  /** Handles a message. Rejects with internal errors. */
  receive(text: string): Promise<void>
  closed(code: number, reason: string): Promise<void>
}

const clientMessageTypes: readonly unknown[] = ['connection_init', 'ping', 'pong', 'subscribe', 'complete']

/** Deepest nesting of a message: deeper ones could overflow the stack. */
const MAX_NESTING = 100

/** Returns whether a text is JSON, not too deep, with a client's message type; anything else closes with 4400. */
export function isClientMessage(text: string): boolean {
  if (nestsTooDeep(text, MAX_NESTING)) return false
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null && clientMessageTypes.includes(Reflect.get(message, 'type'))
  } catch {
    return false
  }
}

/** Returns `graphql-transport-ws` over anything that can send and close. */
export function makeProtocol(options: ProtocolOptions): { opened(peer: ProtocolPeer): Listener } {
  const server = makeServer<Record<string, unknown>, ProtocolPeer>({
    // The sockets check that themselves, by the service's clock.
    connectionInitWaitTimeout: 0,
    subscribe: subscribeOnce,
    async onConnect({ connectionParams, extra }) {
      extra.initReceived = true
      const refused = initRejection(options.context.contrary)
      if (refused !== null) extra.close(refused, 'Not ready')
      if (refused !== null) return false
      const given = connectionParams?.['authorization']
      const loginSession = given === undefined && extra.authorization === undefined ? extra.loginSession() : null
      extra.byLogin = loginSession !== null
      extra.session = loginSession ?? (await sessionOf(options.tokens, extra.authorization, given))
      return extra.session !== null
    },
    onSubscribe({ extra }, _id, payload) {
      if (extra.session && extra.session.expiresAt > options.now()) return toRun(options, extra, payload)
      extra.close(CloseCode.Forbidden, 'Token expired')
      return [new GraphQLError('Token expired', { extensions: { code: 'UNAUTHENTICATED' } })]
    },
    onNext: (_context, _id, _payload, _args, { errors, data }) =>
      errors
        ? {
            errors: errors.map((error) => shown(data === undefined ? withRequestCode(error) : error)),
            ...(data === undefined ? {} : { data }),
          }
        : inForm(options, data),
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => (error instanceof GraphQLError ? shown(error) : error)),
  })
  return {
    opened(peer) {
      let receive: Listener['receive'] = () => Promise.resolve()
      const { send, close } = peer
      const closed = server.opened(
        { protocol: GRAPHQL_TRANSPORT_WS_PROTOCOL, send, close, onMessage: (listen) => (receive = listen) },
        peer,
      )
      return { receive: (text) => receive(text), closed }
    },
  }
}

/** Returns the data in another form; undefined: unchanged. */
function inForm(
  { context }: ProtocolOptions,
  data: Record<string, unknown> | null | undefined,
): { data: Record<string, unknown> } | undefined {
  const other = data ? reshapeEvent(context.contrary, data) : undefined
  return other && { data: other }
}

/**
 * Resolves with the session of the payload's token: the twin rejects a header alone (section 12), and browsers cannot
 * send one. A header must be valid too, and of the same set; the earlier expiry ends the socket.
 */
async function sessionOf(tokens: Tokens, header: string | undefined, payload: unknown): Promise<Session | null> {
  const session = await tokens.session(typeof payload === 'string' ? payload : undefined)
  if (!session || header === undefined) return session
  const other = await tokens.session(header)
  if (other?.set.clientId !== session.set.clientId) return null
  return { set: session.set, expiresAt: Math.min(session.expiresAt, other.expiresAt) }
}

function toRun(
  { schema, context }: ProtocolOptions,
  { session, reader }: ProtocolPeer,
  { query, operationName, variables }: SubscribePayload,
): ExecutionArgs | GraphQLError[] {
  let document: DocumentNode
  try {
    document = parseBounded(query)
  } catch (error) {
    return [
      withCode(
        'GRAPHQL_PARSE_FAILED',
        error instanceof GraphQLError ? error : new GraphQLError('Cannot read the query'),
      ),
    ]
  }
  // Queries and mutations have their own address, where they are charged.
  if (!isSubscription(document, operationName))
    return [new GraphQLError('Only subscriptions are served here', { extensions: { code: 'BAD_REQUEST' } })]
  const errors = validateBounded(schema, document)
  if (errors.length > 0) return errors.map((error) => withCode('GRAPHQL_VALIDATION_FAILED', error))
  const call: Call = { session, charge: null, reader }
  const contextValue: GraphContext = { ...context, call }
  const args = { schema, document, operationName, variableValues: variables, contextValue }
  // Otherwise the rejection is the first and last event.
  const refused =
    context.contrary.is.streamRefusalForm === 'error' ? context.watchCounts.refusal(idsIn(args), call) : null
  return refused === null ? args : [refused]
}

/** Returns an error for the client. Messages of internal errors are hidden, because they may contain a path. */
function shown(error: GraphQLError): GraphQLFormattedError {
  const cause = error.originalError
  if (!cause || cause instanceof GraphQLError) return error.toJSON()
  return { ...error.toJSON(), message: 'Unexpected error.' }
}
