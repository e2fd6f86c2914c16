import { describe, expect, test } from 'vitest'
import type { CallInput, CallName, Pipe } from '../../../src-shared/contract/contract.ts'
import type { DeviceRow, InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { copiesOf } from '../../../src-renderer/inventory/actions/copy.ts'
import { createPaged } from '../../../src-renderer/lib/list/paged.ts'
import {
  createSelection,
  isSelected,
  selectedCount,
  type Selection,
} from '../../../src-renderer/inventory/table/selection.ts'
import { tableKey } from '../../../src-renderer/inventory/table/table-keys.ts'
import { manualClock, settle } from '../../support/clock.ts'

const query: InventoryQuery = { scope: 'all', filter: '', sort: [] }

/** A core with so many devices, `d0` and on; the window holds its first page. */
async function start(total: number) {
  const asked: CallInput<'inventory.keys'>[] = []
  const keys = Array.from({ length: total }, (_, index) => `d${index}`)
  const pipe = {
    call: async (_name: CallName, input: CallInput<'inventory.keys'>) => {
      asked.push(input)
      return { ok: true, value: { rev: 1, keys: keys.slice(input.offset, input.offset + input.limit) } }
    },
  } as unknown as Pipe
  const load = async (offset: number, limit: number) => ({
    ok: true as const,
    value: { rev: 1, total, rows: keys.slice(offset, offset + limit).map((key) => ({ key }) as DeviceRow) },
  })
  const rows = createPaged<DeviceRow>({ load, clock: manualClock() })
  rows.show(0, 50)
  await settle()
  const cursor = { index: -1, key: null as string | null }
  let rejected = 0
  const selection = createSelection({
    pipe,
    rows,
    query: () => query,
    cursor: () => cursor,
    onTooMany: () => (rejected += 1),
  })
  const at = (index: number) => Object.assign(cursor, { index, key: keys[index] ?? null })
  const now = () => {
    const chosen = selection.state.get()
    return chosen.what === 'some' ? [...chosen.keys] : chosen.what
  }
  return { selection, at, now, asked, rejected: () => rejected }
}

describe('the selection', () => {
  test('more than the limit are rejected, not cut', async () => {
    const { selection, at, now, rejected } = await start(100_001)
    selection.all()
    at(3)
    selection.toggle(3)
    await settle()
    expect([now(), rejected()]).toEqual(['all', 1])
    selection.clear()
    at(0)
    selection.begin(0)
    selection.extend(100_000)
    await settle()
    expect([now(), rejected()]).toEqual(['none', 2])
    selection.extend(99_999)
    await settle()
    expect(now()).toHaveLength(100_000)
  })

  test("a row joins and leaves it; when it is empty only the cursor's row is meant", async () => {
    const { selection, at, now } = await start(300)
    at(3)
    selection.toggle(3)
    await settle()
    selection.toggle(5)
    await settle()
    expect(now()).toEqual(['d3', 'd5'])
    selection.toggle(3)
    await settle()
    selection.toggle(5)
    await settle()
    expect(now()).toBe('none')
  })

  test('with Control another row joins the chosen one', async () => {
    const { selection, at, now } = await start(300)
    at(3)
    selection.toggle(7)
    await settle()
    expect(now()).toEqual(['d3', 'd7'])
  })

  test('a range extends up and down from where it began', async () => {
    const { selection, at, now, asked } = await start(300)
    at(4)
    selection.begin(4)
    selection.extend(6)
    await settle()
    expect(now()).toEqual(['d4', 'd5', 'd6'])
    selection.extend(2)
    await settle()
    expect([now(), asked]).toEqual([['d2', 'd3', 'd4'], []])
  })

  test('a range over rows that the window does not hold is requested from the core', async () => {
    const { selection, now, asked } = await start(5000)
    selection.begin(90)
    selection.extend(4999)
    await settle()
    expect(asked).toEqual([{ query, offset: 90, limit: 4910 }])
    expect([now().length, now().at(-1)]).toEqual([4910, 'd4999'])
  })

  test('an answer to an older request changes nothing', async () => {
    const { selection, now } = await start(5000)
    selection.begin(0)
    selection.extend(4000)
    selection.clear()
    await settle()
    expect(now()).toBe('none')
  })

  test('all of them needs no keys; removing one leaves the others', async () => {
    const { selection, now, asked } = await start(300)
    selection.all()
    expect([now(), asked]).toEqual(['all', []])
    selection.toggle(1)
    await settle()
    expect([now().length, now().includes('d1'), now().includes('d299')]).toEqual([299, false, true])
  })

  test('which rows are shown as selected, and how many', () => {
    const some: Selection = { what: 'some', keys: new Set(['a']) }
    expect([
      isSelected(some, 'a', 'b'),
      isSelected(some, 'b', 'b'),
      isSelected({ what: 'none' }, 'b', 'b'),
      isSelected({ what: 'all' }, undefined, null),
    ]).toEqual([true, false, true, false])
    expect([selectedCount(some, 9), selectedCount({ what: 'all' }, 9), selectedCount({ what: 'none' }, 9)]).toEqual([
      1, 9, 0,
    ])
  })
})

describe('keys of the rows', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const at = { index: 5, left: false, total: 20, page: 8, selected: false }

  test('arrows go, with Shift they select on the way', () => {
    expect(tableKey({ ...plain, key: 'ArrowDown' }, at)).toEqual({ action: 'go', index: 6 })
    expect(tableKey({ ...plain, key: 'ArrowUp' }, { ...at, index: 0 })).toEqual({ action: 'heads' })
    expect(tableKey({ ...plain, key: 'ArrowUp', shiftKey: true }, { ...at, index: 0 })).toEqual({
      action: 'extend',
      index: 0,
    })
    expect(tableKey({ ...plain, key: 'End', shiftKey: true }, at)).toEqual({ action: 'extend', index: 19 })
  })

  test('beside a row whose device has left, arrows go to its neighbours, and space selects none', () => {
    const left = (key: string) => tableKey({ ...plain, key }, { ...at, left: true })
    expect([left('ArrowDown'), left('ArrowUp'), left(' ')]).toEqual([
      { action: 'go', index: 5 },
      { action: 'go', index: 4 },
      null,
    ])
  })

  test('Escape clears the selection first, then closes the device', () => {
    expect(tableKey({ ...plain, key: 'Escape' }, { ...at, selected: true })).toEqual({ action: 'clear' })
    expect(tableKey({ ...plain, key: 'Escape' }, at)).toEqual({ action: 'close' })
  })

  test('Control or Command A and C, Shift F10 and the menu key, the space bar', () => {
    expect(tableKey({ ...plain, key: 'a', ctrlKey: true }, at)).toEqual({ action: 'all' })
    expect(tableKey({ ...plain, key: 'C', metaKey: true }, at)).toEqual({ action: 'copy' })
    expect(tableKey({ ...plain, key: 'F10', shiftKey: true }, at)).toEqual({ action: 'menu' })
    expect(tableKey({ ...plain, key: 'ContextMenu' }, at)).toEqual({ action: 'menu' })
    expect(tableKey({ ...plain, key: ' ' }, at)).toEqual({ action: 'toggle', index: 5 })
    expect(tableKey({ ...plain, key: ' ' }, { ...at, index: -1 })).toBeNull()
  })

  test('keys of the browser and of other parts are left alone', () => {
    for (const pressed of [
      { key: 'F10' },
      { key: 'x' },
      { key: 'f', ctrlKey: true },
      { key: 'ArrowLeft', altKey: true },
    ])
      expect(tableKey({ ...plain, ...pressed }, at)).toBeNull()
  })
})

describe('values of a device that can be copied', () => {
  const words = (...given: Parameters<typeof copiesOf>) => copiesOf(...given).map(({ word }) => word)

  test('serial number and addresses when they are shown, and the column under the pointer', () => {
    expect(words(null, ['status', 'name'])).toEqual(['ID', 'Name', 'the rows', 'as JSON'])
    expect(words('site', ['name', 'site', 'extra:internalIp', 'extra:serialNumber'])).toEqual([
      'ID',
      'Name',
      'Site',
      'Serial',
      'internalIp',
      'the rows',
      'as JSON',
    ])
    expect(words('extra:serialNumber', ['extra:serialNumber'])).toEqual(['ID', 'Name', 'Serial', 'the rows', 'as JSON'])
  })
})
