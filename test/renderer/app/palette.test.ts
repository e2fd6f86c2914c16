import { describe, expect, test } from 'vitest'
import { fileName, exportAll } from '../../../src-renderer/inventory/actions/export-all.ts'
import { portalOf } from '../../../src-renderer/inventory/actions/portal.ts'
import { grouped, item, matching } from '../../../src-renderer/app/palette/item.ts'
import { freeName, proposedName, sameAsked } from '../../../src-renderer/inventory/views/views.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'

const run = () => {}
const items = [
  item({ id: '1', group: 'Find', label: 'Show all devices', run }),
  item({ id: '2', group: 'Devices', label: 'Export the table as CSV', also: 'download spreadsheet', run }),
  item({ id: '3', group: 'Go to', label: 'Settings', run }),
  item({ id: '4', group: 'Saved views', label: 'Zürich export', run }),
]
const ids = (typed: string) => matching(items, typed).map(({ id }) => id)

describe('the palette', () => {
  test('finds by words of the label and by others, in any case and without accents', () => {
    expect(ids('set')).toEqual(['3'])
    expect(ids('SPREAD')).toEqual(['2'])
    expect(ids('zurich')).toEqual(['4'])
    expect(ids('csv table')).toEqual(['2'])
    expect(ids('nothing so')).toEqual([])
    expect(ids('')).toEqual(['1', '2', '3', '4'])
  })

  test('a prefix comes before a match inside', () => expect(ids('export')).toEqual(['2', '4']))

  test('has its headings', () =>
    expect(grouped(items).map(({ group }) => group)).toEqual(['Find', 'Devices', 'Go to', 'Saved views']))
})

describe('saved views', () => {
  const query = { scope: 'all', filter: 'site:Berlin', sort: [{ column: 'name' as const, direction: 'asc' as const }] }
  const view: SavedView = { id: 'v', name: 'Berlin', query, columns: null, isDefault: false }

  test('a view is its query, however it is written; another order or other columns are not', () => {
    expect(sameAsked(view, { ...query, filter: 'site:"Berlin"' }, ['name'])).toBe(true)
    expect(sameAsked(view, { ...query, sort: [] }, ['name'])).toBe(false)
    expect(sameAsked(view, { ...query, scope: 'x' }, ['name'])).toBe(false)
    expect(sameAsked({ ...view, columns: ['name'] }, query, ['name', 'site'])).toBe(false)
  })

  test('a new name is one that no view has', () => {
    expect([freeName('Bonn', [view]), freeName('berlin', [view])]).toEqual(['Bonn', 'berlin 2'])
    expect([proposedName('Berlin', 'connected:no'), proposedName(undefined, '')]).toEqual([
      'Berlin · Offline',
      'All devices',
    ])
  })
})

describe('an export', () => {
  const ask = {
    query: { scope: 'all', filter: '', sort: [] },
    keys: null,
    columns: ['id' as const],
    format: 'csv' as const,
  }
  const parts = ['id\n', 'a\n', 'b\n']
  const core = (broken: number) =>
    ({
      call: async (_name: string, { after }: { after: string | null }) => {
        const index = after === null ? 0 : Number(after)
        if (index === broken) return { ok: false, fault: { kind: 'storage', detail: '' } }
        return {
          ok: true,
          value: { text: parts[index], after: index + 1 < parts.length ? String(index + 1) : null, total: 2 },
        }
      },
    }) as unknown as Pipe

  test('is all its parts in their order', async () =>
    expect(await exportAll(core(-1), ask)).toEqual({ ok: true, value: { parts, total: 2 } }))
  test('with a part that fails is nothing but the fault', async () =>
    expect(await exportAll(core(1), ask)).toMatchObject({ ok: false, fault: { kind: 'storage' } }))
  test('that is stopped is empty', async () =>
    expect(await exportAll(core(-1), ask, (characters) => characters < 4)).toBeNull())

  test('names the selected devices once, however many parts it has', async () => {
    const asked: (readonly string[] | null)[] = []
    const listening = {
      call: (name: string, input: { keys: string[] | null; after: string | null }) => (
        asked.push(input.keys),
        (core(-1) as unknown as { call: (...args: unknown[]) => unknown }).call(name, input)
      ),
    } as unknown as Pipe
    await exportAll(listening, { ...ask, keys: ['k1', 'k2'] })
    expect(asked).toEqual([['k1', 'k2'], null, null])
  })

  test('has a name that every file system accepts', () => {
    expect(fileName('Größe: A/B', 'csv', new Date(2026, 0, 2, 3, 4))).toBe('muster-gro-e-a-b-2026-01-02-0304.csv')
    expect(fileName('', 'json', new Date(2026, 10, 12, 13, 14))).toBe('muster-2026-11-12-1314.json')
  })
})

describe("the vendor's portal", () => {
  const connection = (id: string, portal: string) => ({ id, portal }) as ConnectionState
  const all = [connection('a', ''), connection('b', 'https://portal.example/{tenant}/{id}')]

  test('is that of the first connection that sees the device and has one', () => {
    expect(portalOf(all, ['a', 'b'], 't 1', 'd')).toEqual({ href: 'https://portal.example/t%201/d' })
  })

  test('says why there is none', () => {
    expect(portalOf(all, ['a'], 't', 'd')).toEqual({
      reason: 'The connection has no portal address; add one under Connections.',
    })
    expect(portalOf(all, [], 't', 'd')).toEqual({ reason: 'No connection sees this device now.' })
    expect(portalOf([connection('c', 'javascript:alert({id})')], ['c'], 't', 'd')).toEqual({
      reason: 'The portal address of the connection does not fit this device.',
    })
  })
})
