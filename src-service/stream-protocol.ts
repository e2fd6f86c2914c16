import { GraphQLError, Kind, specifiedRules, validate } from 'graphql'
import type { ASTVisitor, DocumentNode, ExecutionArgs, GraphQLFormattedError, GraphQLSchema, SelectionNode, ValidationContext } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws'
import type { SubscribePayload } from 'graphql-ws'
import { boundsRule, parseBounded } from './bounds.ts'
import type { GraphContext } from './context.ts'
import { subscribeOnce } from './event-stream.ts'
import { isSubscription } from './graph.ts'
import type { Reader } from './streams.ts'
import type { Session, Tokens } from './tokens.ts'

export type ProtocolOptions = {
  schema: GraphQLSchema
  tokens: Tokens
  context: Omit<GraphContext, 'call'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** One open socket, as far as the protocol is concerned. */
export type Speaker = {
  /** The header of the upgrade. */
  authorization: string | undefined
  /** Who is logged in to the playground in the browser that opened it; null for everybody else, and when that is over. */
  visitor(): Session | null
  /** True when it was let in as such, without a token. */
  visits: boolean
  /** Null until its token was accepted. */
  session: Session | null
  /** True once it has sent `connection_init`. */
  asked: boolean
  reader: Reader
  send(text: string): Promise<void>
  close(code: number, reason: string): void
  /** Ends the line without a goodbye. */
  cut(): void
}

export type Listener = {
  /** Throws for what goes wrong inside. */
  heard(text: string): Promise<void>
  closed(code: number, reason: string): Promise<void>
}

const spoken: readonly unknown[] = ['connection_init', 'ping', 'pong', 'subscribe', 'complete']

/** Deeper JSON is no message: whatever walks through it would run out of stack. */
const MAX_NESTING = 100

/** Whether it is JSON, not too deep, with a type of message that a client may send; anything else closes with 4400. */
export function spokenByClients(text: string): boolean {
  if (nesting(text) > MAX_NESTING) return false
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null && spoken.includes(Reflect.get(message, 'type'))
  } catch {
    return false
  }
}

/** How many brackets are open at most, outside of strings. */
function nesting(text: string): number {
  let [depth, most, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (quoted && letter === '\\') at += 1
    else if (letter === '"') quoted = !quoted
    else if (!quoted && (letter === '{' || letter === '[')) most = Math.max(most, (depth += 1))
    else if (!quoted && (letter === '}' || letter === ']')) depth -= 1
  }
  return most
}

/** `graphql-transport-ws` over anything that can send and close. */
export function makeProtocol(options: ProtocolOptions): { opened(speaker: Speaker): Listener } {
  const server = makeServer<Record<string, unknown>, Speaker>({
    // The sockets look after that themselves, by the service's clock.
    connectionInitWaitTimeout: 0,
    subscribe: subscribeOnce,
    async onConnect({ connectionParams, extra }) {
      extra.asked = true
      const given = connectionParams?.['authorization']
      const visitor = given === undefined && extra.authorization === undefined ? extra.visitor() : null
      extra.visits = visitor !== null
      extra.session = visitor ?? (await sessionOf(options.tokens, extra.authorization, given))
      return extra.session !== null
    },
    onSubscribe({ extra }, _id, payload) {
      if (extra.session && extra.session.expiresAt > options.now()) return toRun(options, extra, payload)
      extra.close(CloseCode.Forbidden, 'Token expired')
      return [new GraphQLError('Token expired', { extensions: { code: 'UNAUTHENTICATED' } })]
    },
    onNext: (_context, _id, _payload, _args, { errors, data }) => (errors ? { errors: errors.map(shown), ...(data === undefined ? {} : { data }) } : undefined),
    onError: (_context, _id, _payload, errors) => errors.map((error) => (error instanceof GraphQLError ? shown(error) : error)),
  })
  return {
    opened(speaker) {
      let heard: Listener['heard'] = () => Promise.resolve()
      const { send, close } = speaker
      const closed = server.opened({ protocol: GRAPHQL_TRANSPORT_WS_PROTOCOL, send, close, onMessage: (listen) => (heard = listen) }, speaker)
      return { heard: (text) => heard(text), closed }
    },
  }
}

/**
 * The token of the payload counts: a header alone was refused by the twin (section 12), and a browser cannot send one. A
 * header that is there must be as good, and of the same set; the one that ends first ends the socket.
 */
async function sessionOf(tokens: Tokens, header: string | undefined, payload: unknown): Promise<Session | null> {
  const session = await tokens.session(typeof payload === 'string' ? payload : undefined)
  if (!session || header === undefined) return session
  const other = await tokens.session(header)
  if (other?.set.clientId !== session.set.clientId) return null
  return { set: session.set, expiresAt: Math.min(session.expiresAt, other.expiresAt) }
}

function toRun({ schema, context }: ProtocolOptions, { session, reader }: Speaker, { query, operationName, variables }: SubscribePayload): ExecutionArgs | GraphQLError[] {
  let document: DocumentNode
  try {
    document = parseBounded(query)
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError('Cannot read the query')]
  }
  // Queries and mutations have their own address, where they are paid for.
  if (!isSubscription(document, operationName)) return [new GraphQLError('Only subscriptions are served here', { extensions: { code: 'BAD_REQUEST' } })]
  // Ours first: one of the library's rules throws where a skipped root has a variable.
  for (const rules of [[boundsRule, rootStaysRule], specifiedRules]) {
    const errors = validate(schema, document, rules)
    if (errors.length > 0) return [...errors]
  }
  const contextValue: GraphContext = { ...context, call: { session, charge: null, reader } }
  return { schema, document, operationName, variableValues: variables, contextValue }
}

/**
 * A rule of validation: what a subscription is about cannot be skipped. GraphQL says so since 2023; the library's own rules
 * do not, and its execution then stumbles over a subscription of nothing.
 */
function rootStaysRule(context: ValidationContext): ASTVisitor {
  const seen = new Set<string>()
  const canGo = (node: SelectionNode): boolean => {
    if (node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) return true
    if (node.kind === Kind.FIELD) return false
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections.some(canGo)
    if (seen.has(node.name.value)) return false
    seen.add(node.name.value)
    return context.getFragment(node.name.value)?.selectionSet.selections.some(canGo) ?? false
  }
  return {
    OperationDefinition(node) {
      seen.clear()
      if (node.operation === 'subscription' && node.selectionSet.selections.some(canGo)) context.reportError(new GraphQLError('The field of a subscription takes no @skip and no @include', { nodes: node }))
    },
  }
}

/** What goes wrong inside is the service's affair, and may name a file. */
function shown(error: GraphQLError): GraphQLFormattedError {
  const cause = error.originalError
  if (!cause || cause instanceof GraphQLError) return error.toJSON()
  return { ...error.toJSON(), message: 'Unexpected error.' }
}
