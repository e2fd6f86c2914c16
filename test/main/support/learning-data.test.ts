import { expect, test } from 'vitest'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { learningData } from '../../../src-main/support/names/learning-data.ts'
import { createNames } from '../../../src-main/support/names/names.ts'
import { job } from '../storage/journal/jobs/records.ts'

const unused = { createJob: () => Promise.resolve(), openJobs: () => Promise.resolve([]) }
type Input = Parameters<InventoryData['places']>[0]

test('an account is marked in the log before its tenant’s places are written', () => {
  const names = createNames()
  const lines: string[] = []
  const write = () => {
    lines.push(names.marked('Retail North was written'))
    return Promise.reject(new Error('closed'))
  }
  const { places } = learningData({ ...unused, tenants: write, places: write }, names)
  const accounts = [{ id: 'acct-77', name: 'Retail North' }]
  const input: Input = {
    service: 's',
    connection: 'c',
    tenant: 't',
    places: { accounts, sites: [], rooms: [] },
    requestOrder: 1,
    at: 1,
  }
  places(input).catch(() => undefined)
  places({ ...input, places: { ...input.places, accounts: null } }).catch(() => undefined)
  expect(lines[0]).toBe('‹account Retail North› was written')
  expect(names.all().map(({ kind, name }) => `${kind} ${name}`)).toEqual(['account acct-77', 'account Retail North'])
})

const stored = job('j', ['https%3A%2F%2Fdevices.example/ten-77/a'], {
  tenants: [{ key: 'https%3A%2F%2Fdevices.example/ten-77', name: 'Initech Ltd' }],
})
const write = () => Promise.reject(new Error('closed'))
const known = ['host devices.example', 'tenant ten-77', 'tenant Initech Ltd']

test('the tenants of a new job are known before it is written', async () => {
  const names = createNames()
  const { createJob } = learningData({ ...unused, tenants: write, places: write, createJob: write }, names)
  await expect(createJob(stored)).rejects.toThrow('closed')
  expect(names.all().map(({ kind, name }) => `${kind} ${name}`)).toEqual(known)
})

test('the tenants of a job that an earlier run left are known when it is read', async () => {
  const names = createNames()
  const openJobs = () => Promise.resolve([stored])
  expect(
    await learningData({ ...unused, tenants: write, places: write, openJobs }, names).openJobs({ endedSince: 0 }),
  ).toEqual([stored])
  expect(names.all().map(({ kind, name }) => `${kind} ${name}`)).toEqual(known)
})
