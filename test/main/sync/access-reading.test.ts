import { afterEach, expect, test } from 'vitest'
import type { Capabilities } from '../../../src-main/api/capabilities.ts'
import type { Reply } from '../../../src-main/api/client.ts'
import { createAccessReading } from '../../../src-main/sync/reader/access-reading.ts'
import type { SyncContext } from '../../../src-main/sync/context.ts'
import type { Tenants } from '../../../src-main/sync/tenants/tenant-list.ts'
import { settle } from '../../support/clock.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld } from './bed.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const types: Reply = {
  errors: [],
  data: { type: { fields: [{ name: 'role', args: [], type: { kind: 'SCALAR', name: 'String' } }] } },
}
const guest: Reply = { errors: [], data: { credential: { role: 'user' } } }
const silent: Reply = { errors: [{ message: 'not now', code: 'INTERNAL', path: null }], data: { credential: null } }

function open() {
  const asked: string[] = []
  const read: unknown[] = []
  const log: string[] = []
  const stopping = new AbortController()
  const service: { answer: Reply | FaultError; list: Tenants | null } = { answer: guest, list: null }
  const context = {
    signal: stopping.signal,
    reader: { tenants: () => service.list },
    options: {
      api: {
        run: async ({ operation: { name } }: { operation: { name: string } }) => {
          asked.push(name)
          if (name === 'Type') return types
          if (service.answer instanceof FaultError) throw service.answer
          return service.answer
        },
      },
      access: { clientId: 'own', onRead: (access: unknown, partial: boolean) => void read.push(access, partial) },
      log: (_level: string, text: string) => void log.push(text),
    },
  } as unknown as SyncContext
  const reading = createAccessReading(context)
  let capabilities = { credential: { idType: 'ID!', type: 'C' } } as Capabilities
  const look = async () => {
    reading.check()
    await reading.stop()
    return asked.splice(0)
  }
  return {
    read,
    log,
    stop: () => stopping.abort(),
    look,
    again() {
      reading.recheck()
      return look()
    },
    answer: (answer: Reply | FaultError) => void (service.answer = answer),
    /** The list of tenants is read. `described`: and the schema, anew. */
    list(described = false, credential = capabilities.credential) {
      if (described) capabilities = { ...capabilities, credential }
      service.list = { list: [], partial: false, capabilities, eventFields: null, capabilitiesAt: 0 }
      return look()
    },
  }
}

test('it is read for each list of tenants, and the types for each schema', async () => {
  const { list, look, read } = open()
  expect(await look()).toEqual([])
  expect(await list()).toEqual(['Type', 'Credential'])
  expect(await look()).toEqual([])
  expect(await list()).toEqual(['Credential'])
  expect(await list(true)).toEqual(['Type', 'Credential'])
  expect(read.slice(0, 2)).toEqual([{ name: '', roles: ['user'], scope: {} }, false])
})

test('an error beside null changes nothing, and the next list asks again', async () => {
  const { list, read, answer } = open()
  answer(silent)
  expect(await list()).toEqual(['Type', 'Credential'])
  expect(read).toEqual([])
  answer(guest)
  expect(await list()).toEqual(['Credential'])
  expect(read).toHaveLength(2)
})

test('a rejected document is not repeated before the schema is read again; after an outage it is', async () => {
  const { list, answer, log } = open()
  answer(new FaultError('timeout'))
  expect(await list()).toEqual(['Type', 'Credential'])
  answer(new FaultError('query', 'HTTP 400'))
  expect(await list()).toEqual(['Credential'])
  expect(await list()).toEqual([])
  answer(guest)
  expect(await list(true)).toEqual(['Type', 'Credential'])
  expect(log).toEqual([
    'the role of the credential set could not be read (timeout)',
    'the role of the credential set could not be read (query)',
  ])
})

test('a role that may not read itself is asked again, and after a rejection at once', async () => {
  const { list, again, answer, read } = open()
  answer(new FaultError('forbidden', 'HTTP 403'))
  expect(await list()).toEqual(['Type', 'Credential'])
  answer(guest)
  expect(await again()).toEqual(['Credential'])
  expect(read).toHaveLength(2)
})

test('a service that no longer offers the field is not asked', async () => {
  const { list } = open()
  await list()
  expect(await list(true, null)).toEqual([])
})

test('a sync that is rejected as a whole asks for the role again', async () => {
  const root = {
    name: 'clientCredential',
    args: [{ name: 'id', type: { kind: 'NON_NULL', name: null, ofType: { kind: 'SCALAR', name: 'ID' } } }],
    type: { kind: 'OBJECT', name: 'C' },
  }
  const schema = {
    root: { queryType: { fields: [root] } },
    params: { inputFields: [{ name: 'filter', type: root.type }] },
  }
  let isForbidden = false
  const bed = await openWorld(leftovers).connect('a', ({ name }) => {
    if (name === 'Tenants' && isForbidden) return new FaultError('forbidden', 'HTTP 403')
    if (name === 'Schema') return { errors: [], data: schema }
    return name === 'Type' ? types : name === 'Credential' ? guest : null
  })
  const asked = () => bed.requests.filter(({ name }) => name === 'Credential').length
  expect(asked()).toBe(1)
  isForbidden = true
  bed.sync.refresh(null)
  await bed.clock.advance(0)
  await settle()
  expect([asked(), bed.sync.state().faults[0]?.fault.kind]).toEqual([2, 'forbidden'])
})

test('a sync that has stopped reads nothing', async () => {
  const { list, stop } = open()
  stop()
  expect(await list()).toEqual([])
})
