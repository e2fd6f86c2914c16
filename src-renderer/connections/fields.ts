import { explain, type Fault } from '../../src-shared/fault.ts'
import { connectionInput, type ConnectionInput } from '../../src-shared/model.ts'

/** Names of the form's fields, the contract's own, in their order on the screen. */
export const fieldNames = ['name', 'tokenUrl', 'graphqlUrl', 'subscriptionUrl', 'clientId', 'clientSecret', 'ca', 'subscription', 'portal'] as const
export type FieldName = (typeof fieldNames)[number]

/** Keys of the JSON object that `npm run service` prints, and the fields that they fill. */
const pasted: Record<string, FieldName> = {
  token_url: 'tokenUrl',
  graphql_url: 'graphqlUrl',
  subscription_url: 'subscriptionUrl',
  client_id: 'clientId',
  client_secret: 'clientSecret',
}

/** What a pasted text fills in: null when it is not a JSON object with at least one of the known keys. */
export function fieldsOf(text: string): ReadonlyMap<FieldName, string> | null {
  const json = parsed(text.trim())
  if (json === null) return null
  const found = new Map<FieldName, string>()
  for (const [key, value] of Object.entries(json)) {
    const field = pasted[key]
    if (field !== undefined && typeof value === 'string') found.set(field, value)
  }
  return found.size === 0 ? null : found
}

function parsed(text: string): object | null {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}

/** The form's texts as the core wants them; `id` null makes a new connection. */
export function inputOf(id: string | null, text: (field: FieldName) => string): ConnectionInput {
  return {
    id,
    name: text('name'),
    tokenUrl: text('tokenUrl'),
    graphqlUrl: text('graphqlUrl'),
    subscriptionUrl: text('subscriptionUrl'),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    ca: text('ca'),
    subscription: text('subscription'),
    portal: text('portal'),
  }
}

/** What is missing before anything is sent: each field that must be filled in, with what to do. In the form's order. */
export function missing(input: ConnectionInput, secretKnown: boolean): ReadonlyMap<FieldName, string> {
  const found = new Map<FieldName, string>()
  for (const [name, words] of required) if (input[name].trim() === '') found.set(name, words)
  if (!secretKnown && input.clientSecret === '') found.set('clientSecret', 'Enter the client secret.')
  return found
}

const required: readonly [FieldName, string][] = [
  ['name', 'Give it a name.'],
  ['tokenUrl', 'Enter the address that gives out access tokens.'],
  ['graphqlUrl', 'Enter the address of the GraphQL endpoint.'],
  ['subscriptionUrl', 'Enter the address of the live stream.'],
  ['clientId', 'Enter the client id.'],
]

/** What the core would refuse at its border, found before anything is sent; null when it would not. */
export function refusal(input: ConnectionInput): Fault | null {
  const [issue] = connectionInput.safeParse(input).error?.issues ?? []
  return issue === undefined ? null : { kind: 'input', detail: `${issue.path.join('.')}: ${issue.message}` }
}

/** The field that a fault is about: a fault of kind `input` names it at the beginning of its detail; a bad CA is the CA's. */
export function faultyField({ kind, detail }: Fault): FieldName | null {
  if (kind === 'ca') return 'ca'
  if (kind !== 'input') return null
  return fieldNames.toSorted((one, other) => other.length - one.length).find((field) => new RegExp(`^${field}\\b`, 'u').test(detail)) ?? null
}

/** What to say beside each field because of a fault; empty when it is about none of them. */
export function errorsOf(fault: Fault): ReadonlyMap<FieldName, string> {
  const field = faultyField(fault)
  return new Map(field === null ? [] : [[field, fieldWords(fault) || explain(fault).advice]])
}

/** The fault's detail without the name of the field: what to say beside the field itself. */
export function fieldWords(fault: Fault): string {
  const field = faultyField(fault)
  if (field === null || !fault.detail.startsWith(field)) return fault.detail
  return fault.detail.slice(field.length).replace(/^[\s:.,–-]+/u, '')
}
