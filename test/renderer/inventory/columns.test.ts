import { describe, expect, test } from 'vitest'
import { columnId, type ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Cost } from '../../../src-shared/model/gauge.ts'
import {
  movedColumn,
  resizedColumn,
  shownColumns,
  stickyColumns,
  templateOf,
  toggledColumn,
  defaultColumns,
  type ShownColumn,
} from '../../../src-renderer/inventory/columns/column-layout.ts'
import { loadCostText, progressText } from '../../../src-renderer/inventory/columns/extra-columns.tsx'

const stored = (...ids: string[]): ShownColumn[] => ids.map((id) => ({ id: columnId.parse(id), width: null }))
const extra = (name: string, part: Partial<ExtraColumn> = {}): ExtraColumn => ({
  name,
  type: 'text',
  on: true,
  read: 0,
  of: 10,
  reading: false,
  fault: null,
  ...part,
})
const ids = (columns: readonly ShownColumn[]) => columns.map(({ id }) => id)

describe('shown columns', () => {
  test('are the defaults without a setting', () => expect(ids(shownColumns([], []))).toEqual(defaultColumns))

  test('come once each, extra columns only while they are switched on, and never none at all', () => {
    expect(
      ids(
        shownColumns(stored('name', 'extra:a', 'name', 'extra:b', 'extra:c'), [extra('a'), extra('b', { on: false })]),
      ),
    ).toEqual(['name', 'extra:a'])
    expect(ids(shownColumns(stored('extra:gone'), []))).toEqual(defaultColumns)
  })

  test('a column moves to its position within the ends, and an unmoved one changes nothing', () => {
    const three = stored('name', 'site', 'room')
    expect(ids(movedColumn(three, 'room', 0))).toEqual(['room', 'name', 'site'])
    expect(ids(movedColumn(three, 'name', 9))).toEqual(['site', 'room', 'name'])
    expect(movedColumn(three, 'name', 0)).toBe(three)
    expect(movedColumn(three, 'id', 0)).toBe(three)
  })

  test('the last column cannot be removed, and a new one comes beside the name', () => {
    expect(ids(toggledColumn(stored('name', 'site'), 'name', false))).toEqual(['site'])
    expect(ids(toggledColumn(stored('name'), 'name', false))).toEqual(['name'])
    expect(ids(toggledColumn(stored('name', 'site'), 'id', true))).toEqual(['name', 'id', 'site'])
    expect(ids(toggledColumn(stored('site'), 'id', true))).toEqual(['site', 'id'])
    const two = stored('name', 'site')
    expect(toggledColumn(two, 'site', true)).toBe(two)
  })
})

describe('widths', () => {
  test("stay within readable sizes and the settings' limits", () => {
    expect(resizedColumn(stored('name'), 'name', 3)[0]?.width).toBe(48)
    expect(resizedColumn(stored('name'), 'name', 9999)[0]?.width).toBe(1200)
    expect(resizedColumn(stored('name'), 'name', 100.4)[0]?.width).toBe(100)
    expect(resizedColumn([{ id: 'name', width: 90 }], 'name', null)[0]?.width).toBeNull()
  })

  test('a set width is a track of its own; with all of them set, the remaining space is empty', () => {
    const { template, minWidth, first } = templateOf([
      { id: 'status', width: 90 },
      { id: 'name', width: null },
    ])
    expect(template).toMatch(/^90px minmax\(\d+px, [\d.]+fr\)$/u)
    expect([minWidth, first]).toEqual([90 + 216 + 12, 96])
    expect(templateOf([{ id: 'name', width: 90 }]).template).toBe('90px minmax(0, 1fr)')
  })

  test('the status and the name after it stay visible, else the first column alone', () => {
    expect([
      stickyColumns(stored('status', 'name', 'site')),
      stickyColumns(stored('name', 'status')),
      stickyColumns(stored('site')),
    ]).toEqual([2, 1, 1])
  })
})

describe('extra columns', () => {
  test('the progress of loading, with its obstacle first', () => {
    expect(progressText(extra('a', { on: false }))).toBe('')
    expect(progressText(extra('a', { read: 4, reading: true }))).toBe('Loading: 4 of 10 devices')
    expect(progressText(extra('a', { read: 4 }))).toBe('Loaded for 4 of 10 devices')
    expect(progressText(extra('a', { read: 10 }))).toBe('Loaded for all 10 devices')
    expect(progressText(extra('a', { read: 4, fault: { kind: 'timeout', detail: '' } }))).toMatch(
      /^Stopped at 4 of 10 devices: /u,
    )
  })

  test('the cost says what loading takes, and when it is an estimate', () => {
    const price: Cost = { points: 12_400, windows: 1, ms: 40_000, devices: 5000, known: true }
    expect(loadCostText(price)).toBe('Loads 5,000 devices, 12,400 points, about 40 s.')
    expect(loadCostText({ ...price, windows: 3, known: false })).toBe(
      'Loads 5,000 devices, perhaps 12,400 points over 3 minutes, about 40 s. An estimate: nothing similar was loaded before.',
    )
  })
})
