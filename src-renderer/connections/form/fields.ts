import { addressProblem } from '../../../src-shared/connections/address.ts'
import { assertNever, explain, type Fault } from '../../../src-shared/model/fault.ts'
import {
  connectionInput,
  inputProblems,
  type ConnectionInput,
  type ConnectionState,
} from '../../../src-shared/model/connection.ts'
import { portalProblem } from '../../../src-shared/connections/presets.ts'
import { own } from '../../../src-shared/lib/own.ts'

/** Names of the form's fields, which are the contract's own, in the order of the screen. */
export const fieldNames = [
  'name',
  'tokenUrl',
  'graphqlUrl',
  'subscriptionUrl',
  'clientId',
  'clientSecret',
  'ca',
  'subscription',
  'portal',
] as const
export type FieldName = (typeof fieldNames)[number]

/**
 * Keys of a pasted JSON object, named as the columns of an import and by the reference service, with the fields that
 * they fill.
 */
const pasted: Record<string, FieldName> = {
  name: 'name',
  token_url: 'tokenUrl',
  graphql_url: 'graphqlUrl',
  subscription_url: 'subscriptionUrl',
  client_id: 'clientId',
  client_secret: 'clientSecret',
  ca: 'ca',
  subscription: 'subscription',
  portal: 'portal',
}

export interface Pasted {
  fields: ReadonlyMap<FieldName, string>
  /** Keys that fill no field. */
  unused: readonly string[]
}

/** Returns the fields that a pasted text fills; null when it is not a JSON object with a known key. */
export function fieldsOf(text: string): Pasted | null {
  const json = parsed(text.trim())
  if (json === null) return null
  const [fields, unused] = [new Map<FieldName, string>(), new Array<string>()]
  for (const [key, value] of Object.entries(json)) {
    const field = own(pasted, key)
    if (field !== undefined && typeof value === 'string') fields.set(field, value)
    else unused.push(key)
  }
  return fields.size === 0 ? null : { fields, unused }
}

/** Returns which keys of a pasted object were not used; '' for none. */
export function unusedText(unused: readonly string[]): string {
  const file = unused.includes('ca_file')
    ? 'Of the CA certificate it names only a file (ca_file), which is not read from here: paste the text of that file below.'
    : ''
  const others = unused.filter((key) => key !== 'ca_file')
  const named = others
    .slice(0, 5)
    .map((key) => key.slice(0, 40))
    .join(', ')
  return [
    file,
    others.length === 0 ? '' : `Not used: ${named}${others.length > 5 ? ` and ${others.length - 5} more` : ''}.`,
  ]
    .filter((words) => words !== '')
    .join(' ')
}

function parsed(text: string): object | null {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}

/** Returns the form's texts as the core's input. With `id` null the input creates a connection. */
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

/** Returns the problems of an input before it is sent, by field, with what to do. A test needs no name. */
export function problemsOf(
  input: ConnectionInput,
  { secretKnown, named }: { secretKnown: boolean; named: boolean },
): ReadonlyMap<FieldName, string> {
  const found = new Map<FieldName, string>()
  for (const name of fieldNames) {
    const empty = input[name].trim() === '' ? required.get(name) : undefined
    const needed = name === 'name' ? named : name !== 'clientSecret' || !secretKnown
    const problem = needed && empty !== undefined ? empty : fieldProblem(name, input[name])
    if (problem !== null) found.set(name, problem)
  }
  return found
}

/**
 * Returns a problem when another connection has the same name, because an import finds connections by name. An
 * unchanged name is allowed.
 */
export function takenProblems(
  { id, name }: Pick<ConnectionInput, 'id' | 'name'>,
  connections: readonly Pick<ConnectionState, 'id' | 'name'>[],
): ReadonlyMap<FieldName, string> {
  const wanted = name.trim()
  const isUnchanged = connections.some((own) => own.id === id && own.name === wanted)
  const isTaken = !isUnchanged && connections.some((other) => other.id !== id && other.name === wanted)
  return new Map(isTaken ? [['name', 'Another connection has this name.']] : [])
}

const required: ReadonlyMap<FieldName, string> = new Map([
  ['name', 'Give it a name.'],
  ['tokenUrl', 'Enter the token URL.'],
  ['graphqlUrl', 'Enter the GraphQL URL.'],
  ['subscriptionUrl', 'Enter the subscription URL.'],
  ['clientId', 'Enter the client id.'],
  ['clientSecret', 'Enter the client secret.'],
])

/** Returns what is wrong with the text of one field, as far as the window can check; null when it is valid or empty. */
export function fieldProblem(name: FieldName, typed: string): string | null {
  const text = typed.trim()
  if (text === '') return null
  const error = connectionInput.shape[name].safeParse(typed).error
  if (error !== undefined) return inputProblems(error)[0]?.[1] ?? null
  switch (name) {
    case 'tokenUrl':
    case 'graphqlUrl':
      return addressProblem(text, 'https:')
    case 'subscriptionUrl':
      return addressProblem(text, 'wss:')
    case 'portal':
      return portalProblem(text)
    case 'name':
    case 'clientId':
    case 'clientSecret':
    case 'ca':
    case 'subscription':
      return null
    default:
      return assertNever(name)
  }
}

/**
 * Returns the errors of a fault by field; empty when it is about no field. A fault of kind `input` names one field per
 * line; an invalid CA is the CA field's.
 */
export function errorsOf({ kind, detail }: Fault): ReadonlyMap<FieldName, string> {
  if (kind === 'ca')
    return new Map([['ca', [explain({ kind, detail }).title, explain({ kind, detail }).advice].join(' ')]])
  if (kind !== 'input') return new Map()
  return new Map(
    detail.split('\n').flatMap((line) => {
      const name = fieldNames.find((field) => line.startsWith(`${field}: `))
      return name === undefined ? [] : [[name, line.slice(name.length + 2)] as const]
    }),
  )
}
