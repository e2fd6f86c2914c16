import { expect, test } from 'vitest'
import type { Capabilities } from '../../../src-main/api/capabilities.ts'
import type { Reply } from '../../../src-main/api/client.ts'
import { createAccessReading } from '../../../src-main/sync/reader/access-reading.ts'
import type { SyncContext } from '../../../src-main/sync/context.ts'
import type { Tenants } from '../../../src-main/sync/tenants/tenant-list.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'

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
    answer: (answer: Reply | FaultError) => void (service.answer = answer),
    /** The list of tenants is read. `described`: and the schema, anew. */
    list(described = false, credential = capabilities.credential) {
      if (described) capabilities = { ...capabilities, credential }
      service.list = { list: [], partial: false, capabilities, askedAt: 0 }
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

test('a rejection is not repeated before the schema is read again; an outage is', async () => {
  const { list, answer, log } = open()
  answer(new FaultError('timeout'))
  expect(await list()).toEqual(['Type', 'Credential'])
  answer(new FaultError('forbidden', 'HTTP 403'))
  expect(await list()).toEqual(['Credential'])
  expect(await list()).toEqual([])
  answer(guest)
  expect(await list(true)).toEqual(['Type', 'Credential'])
  expect(log).toEqual([
    'the role of the credential set could not be read (timeout)',
    'the role of the credential set could not be read (forbidden)',
  ])
})

test('a service that no longer offers the field is not asked', async () => {
  const { list } = open()
  await list()
  expect(await list(true, null)).toEqual([])
})

test('a sync that has stopped reads nothing', async () => {
  const { list, stop } = open()
  stop()
  expect(await list()).toEqual([])
})
