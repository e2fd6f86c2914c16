import { expect, test } from 'vitest'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { learningData } from '../../../src-main/support/names/learning-data.ts'
import { createNames } from '../../../src-main/support/names/names.ts'

type Input = Parameters<InventoryData['places']>[0]

test('an account is marked in the log before its tenant’s places are written', () => {
  const names = createNames()
  const lines: string[] = []
  const write = () => {
    lines.push(names.marked('Retail North was written'))
    return Promise.reject(new Error('closed'))
  }
  const { places } = learningData({ tenants: write, places: write }, names)
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
