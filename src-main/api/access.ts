import { maxAccessText, maxRoles, scopeNames, type Access } from '../../src-shared/model/access.ts'
import { own } from '../../src-shared/lib/own.ts'
import type { CredentialField } from './capabilities.ts'
import type { Api, Reply } from './client.ts'
import { credentialOperation, type Operation } from './operations.ts'
import { selectionOf, type AskedAs, type Members } from './selection.ts'

const listed: Members = { id: {} }
const roles: Members = { name: {} }
const held: Members = Object.fromEntries(scopeNames.map((name) => [name, listed]))
const granted: Members = { role: roles, roles, ...held }
const usable: Members = { name: {}, ...granted, scope: held, grants: granted, accessor: { grants: granted } }
/** Members that are of use as plain values; the others only as objects. */
const plain: ReadonlySet<string> = new Set(['id', 'name', 'role', 'roles', ...scopeNames])

/**
 * Returns the operation that reads the caller's own credential set with the members that the service's schema offers;
 * null where it offers none that Muster can use. Rejects with a `FaultError`.
 */
export async function accessOperation(api: Api, field: CredentialField, as: AskedAs): Promise<Operation | null> {
  const selection = await selectionOf(api, field.type, usable, plain, as)
  return selection === '' ? null : credentialOperation(field.idType, selection)
}

/**
 * Reads the role and scope of a credential set. `partial`: a part of the answer failed. Null where the service tells
 * nothing. Rejects with a `FaultError`.
 */
export async function askAccess(
  api: Api,
  operation: Operation,
  clientId: string,
  as: AskedAs,
): Promise<{ access: Access; partial: boolean } | null> {
  const reply = await api.run({ operation, variables: { id: clientId }, size: 1, ...as })
  const access = readAccess(reply)
  return access === null ? null : { access, partial: reply.errors.length > 0 }
}

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valuesIn = (value: unknown): Values[] => [value].flat(1).filter(isValues)

function readAccess({ data, redact = (text) => text }: Reply): Access | null {
  const set = isValues(data) ? own(data, 'credential') : undefined
  if (!isValues(set)) return null
  const text = (value: unknown) => (typeof value === 'string' ? redact(value).trim().slice(0, maxAccessText) : '')
  const grants = [...valuesIn(own(set, 'accessor')), set].flatMap((each) => valuesIn(own(each, 'grants')))
  const names = [set, ...grants].flatMap((each) => ['role', 'roles'].flatMap((member) => namesIn(own(each, member))))
  const found = {
    name: text(own(set, 'name')),
    roles: [...new Set(names.map(text))].filter((name) => name !== '').slice(0, maxRoles),
    scope: scopeIn([...valuesIn(own(set, 'scope')), set, ...grants]),
  }
  return found.name === '' && found.roles.length === 0 && Object.keys(found.scope).length === 0 ? null : found
}

/** Returns the names in a role, a list of roles, or objects with a name. */
const namesIn = (value: unknown): unknown[] =>
  [value].flat(1).map((each) => (isValues(each) ? own(each, 'name') : each))

/** Returns how many of each the set is held to; several grants are counted together, each id once. */
function scopeIn(places: readonly Values[]): Access['scope'] {
  return Object.fromEntries(
    scopeNames.flatMap((name) => {
      const lists = places.map((each) => own(each, name)).filter((list) => Array.isArray(list))
      const ids = lists.flat(1).map((each) => (isValues(each) ? own(each, 'id') : each))
      return lists.length === 0 ? [] : [[name, new Set(ids.filter((id) => id !== null && id !== undefined)).size]]
    }),
  )
}
