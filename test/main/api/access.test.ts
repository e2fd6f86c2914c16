import { buildSchema, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { accessOperation, askAccess } from '../../../src-main/api/access.ts'
import { readCapabilities } from '../../../src-main/api/capabilities.ts'
import type { Api, Request } from '../../../src-main/api/client.ts'
import { schemaOperation } from '../../../src-main/api/operations.ts'

const search = `input DeviceFindArgs { nextToken: String } type Device { id: ID }`

/** A service with this schema, whose `clientCredential` answers this set. */
function serviceOf(sdl: string, set: unknown, redact = (text: string) => text) {
  const schema = buildSchema(`${search} ${sdl}`)
  const requests: Pick<Request, 'operation' | 'lane'>[] = []
  const api: Api = {
    async run({ operation, variables, lane }) {
      requests.push({ operation, lane })
      const rootValue = {
        clientCredential() {
          if (set instanceof Error) throw set
          return set
        },
      }
      const { data, errors = [] } = await graphql({
        schema,
        source: operation.document,
        variableValues: variables,
        rootValue,
      })
      return { data, errors: errors.map(({ message }) => ({ message, code: null, path: null })), redact }
    },
  }
  const as = { lane: 'background', signal: new AbortController().signal } as const
  return {
    requests,
    async read() {
      const { data } = await api.run({ operation: schemaOperation, variables: {}, size: 1, ...as })
      const { credential } = readCapabilities(data)
      if (credential === null) return 'no field'
      const operation = await accessOperation(api, credential, as)
      return operation === null ? 'no members' : askAccess(api, operation, 'the-client', as)
    },
  }
}

const twin = `type Query { clientCredential(id: String!): ClientCredential params: DeviceFindArgsHolder }
  type DeviceFindArgsHolder { find(params: DeviceFindArgs): Device }
  type ClientCredential { name: String accessor: Accessor }
  type Accessor { grants: [Grant!] } type Grant { roles: [NamedRef] } type NamedRef { name: String }`
const inOne = (members: string, more = '') =>
  `type Query { clientCredential(id: ID!): Credential! find(params: DeviceFindArgs): Device }
  type Credential { ${members} } ${more}`

test('the roles of all grants are read, each once, with the name of the set', async () => {
  const { read, requests } = serviceOf(twin, {
    name: 'Night shift',
    accessor: {
      grants: [{ roles: [{ name: 'it-admin' }, null] }, { roles: [{ name: 'it-admin' }, { name: 'user' }] }],
    },
  })
  expect(await read()).toEqual({
    access: { name: 'Night shift', roles: ['it-admin', 'user'], scope: {} },
    partial: false,
  })
  expect(requests.map(({ operation: { name }, lane }) => `${name} ${lane}`)).toEqual(
    ['Schema', 'Type', 'Type', 'Type', 'Type', 'Credential'].map((name) => `${name} background`),
  )
  expect(requests.at(-1)?.operation.document).toContain('$id: String!')
})

test.each([
  ['a role and a scope of ids', 'role: String scope: S', 'type S { accounts: [ID!] sites: [ID!] tenants: [ID!] }'],
  [
    'a role that is an object, and accounts of their own',
    'role: R accounts: [A]',
    'type R { name: String } type A { id: ID }',
  ],
  ['a list of roles of an enum', 'roles: [E!]! accounts: [ID]', 'enum E { user admin }'],
])('a service with %s is understood', async (_name, members, more) => {
  const set = members.includes('scope')
    ? { role: 'user', scope: { accounts: ['a', 'b'], sites: null, tenants: null } }
    : members.includes('roles')
      ? { roles: ['user'], accounts: ['a', 'b', null] }
      : { role: { name: 'user' }, accounts: [{ id: 'a' }, { id: 'b' }, { id: 'b' }] }
  expect(await serviceOf(inOne(members, more), set).read()).toEqual({
    access: { name: '', roles: ['user'], scope: { accounts: 2 } },
    partial: false,
  })
})

test('a member that needs an argument, or has another type, is left out', async () => {
  const members = 'name: String role(of: ID!): String roles: Int scope: String accounts: Int grants: [String]'
  const { read, requests } = serviceOf(inOne(members), { name: 'Own', roles: 4, accounts: 3 })
  expect(await read()).toEqual({ access: { name: 'Own', roles: [], scope: {} }, partial: false })
  expect(requests.at(-1)?.operation.document).toContain('{ name roles accounts }')
})

test.each([
  ['no such field', 'type Query { find(params: DeviceFindArgs): Device }', 'no field'],
  [
    'a field that needs another argument',
    'type Query { clientCredential(id: ID!, realm: ID!): C find(params: DeviceFindArgs): Device } type C { name: String }',
    'no field',
  ],
  [
    'a field that is no object',
    'type Query { clientCredential(id: ID!): String find(params: DeviceFindArgs): Device }',
    'no field',
  ],
  ['no member of use', inOne('secret: String createdAt: String'), 'no members'],
])('of a service with %s nothing is asked', async (_name, sdl, found) => {
  const { read, requests } = serviceOf(sdl, null)
  expect(await read()).toBe(found)
  expect(requests.map(({ operation }) => operation.name)).not.toContain('Credential')
})

test('null, an error and empty members tell nothing; an error in a part makes it partial', async () => {
  expect(await serviceOf(twin, null).read()).toBeNull()
  expect(await serviceOf(twin, new Error('FORBIDDEN')).read()).toBeNull()
  expect(await serviceOf(twin, { name: ' ', accessor: { grants: [] } }).read()).toBeNull()
  const part = { name: 'Own', accessor: () => Promise.reject(new Error('later')) }
  expect(await serviceOf(twin, part).read()).toEqual({
    access: { name: 'Own', roles: [], scope: {} },
    partial: true,
  })
})

test('texts of the service are redacted and short, and not more than twenty roles are kept', async () => {
  const roles = Array.from({ length: 30 }, (_, index) => ({ name: `role ${index}` }))
  const set = { name: `s3cret ${'x'.repeat(500)}`, accessor: { grants: [{ roles }] } }
  const told = await serviceOf(twin, set, (text) => text.replaceAll('s3cret', '[hidden]')).read()
  expect(told).toMatchObject({ access: { name: expect.stringMatching(/^\[hidden\] x{191}$/u) } })
  expect(told).toHaveProperty('access.roles.length', 20)
})
