import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import { createPaged, indexOf, pagesBetween, rowAt, type Slice } from '../../../src-renderer/lib/list/paged.ts'
import { manualClock, settle } from '../../support/clock.ts'

/** A list whose answers the test gives when it likes. */
function list() {
  const clock = manualClock()
  const asked: { offset: number; answer: (answer: Answer<Slice<string>>) => void }[] = []
  const paged = createPaged<string>({
    load: (offset) => new Promise((resolve) => asked.push({ offset, answer: resolve })),
    clock,
  })
  const give = async (total: number, word = 'row', rev = 1) => {
    const { offset, answer } = asked.shift() ?? expect.fail('nothing was asked')
    const rows = Array.from(
      { length: Math.max(0, Math.min(100, total - offset)) },
      (_, index) => `${word} ${offset + index}`,
    )
    answer({ ok: true, value: { rev, total, rows } })
    await settle()
  }
  return { clock, asked, paged, give, offsets: () => asked.map(({ offset }) => offset) }
}

describe('a list in pages', () => {
  test('pages are those between the first and last row', () => {
    expect([pagesBetween(0, 0), pagesBetween(95, 104), pagesBetween(250, 520), pagesBetween(5, -1)]).toEqual([
      [0],
      [0, 1],
      [2, 3, 4, 5],
      [0],
    ])
  })

  test('visible pages are requested once, and nothing beyond the end', async () => {
    const { paged, give, offsets } = list()
    paged.show(0, 40)
    paged.show(0, 41)
    expect(offsets()).toEqual([0])
    await give(150)
    paged.show(90, 250)
    expect(offsets()).toEqual([100])
    await give(150)
    expect([rowAt(paged.state.get(), 149), rowAt(paged.state.get(), 150)]).toEqual(['row 149', undefined])
    expect(indexOf(paged.state.get(), (row) => row === 'row 120')).toBe(120)
    expect(offsets()).toEqual([])
  })

  test('a new query keeps the rows until its first answer, and drops late answers to the old one', async () => {
    const { paged, give, offsets, asked } = list()
    paged.show(0, 40)
    await give(200, 'old')
    paged.show(90, 110)
    const [late] = asked.splice(0)
    paged.reset()
    expect(paged.state.get()).toMatchObject({ pending: true, total: 200 })
    expect(rowAt(paged.state.get(), 3)).toBe('old 3')
    expect(offsets()).toEqual([0, 100])
    late?.answer({ ok: true, value: { rev: 1, total: 7, rows: ['late'] } })
    await give(120, 'new')
    expect(paged.state.get()).toMatchObject({ pending: false, total: 120 })
    expect([rowAt(paged.state.get(), 3), rowAt(paged.state.get(), 100)]).toEqual(['new 3', undefined])
    await give(120, 'new')
    expect(rowAt(paged.state.get(), 100)).toBe('new 100')
  })

  test('many changes are one refresh of the visible pages; other pages are dropped', async () => {
    const { paged, give, offsets, clock } = list()
    paged.show(0, 40)
    await give(300)
    paged.show(200, 220)
    await give(300)
    for (let change = 0; change < 5; change += 1) paged.refresh()
    await clock.advance(249)
    expect(offsets()).toEqual([])
    await clock.advance(1)
    expect(offsets()).toEqual([200])
    expect(rowAt(paged.state.get(), 3)).toBeUndefined()
    expect(rowAt(paged.state.get(), 210)).toBe('row 210')
    await give(290, 'fresh')
    expect([paged.state.get().total, rowAt(paged.state.get(), 210)]).toEqual([290, 'fresh 210'])
  })

  test('a refresh that is requested during an answer runs once more', async () => {
    const { paged, give, offsets, clock } = list()
    paged.show(0, 40)
    paged.refresh()
    await clock.advance(250)
    expect(offsets()).toEqual([0])
    await give(50, 'before')
    expect(offsets()).toEqual([0])
    await give(50, 'after')
    expect([rowAt(paged.state.get(), 0), offsets().length]).toEqual(['after 0', 0])
  })

  test('a change is made in older pages only, and an unchanged list stays the same', async () => {
    const { paged, give } = list()
    paged.show(0, 40)
    await give(10, 'row', 5)
    const before = paged.state.get()
    paged.apply(5, (rows) => rows.map((row) => `${row}!`))
    paged.apply(6, (rows) => rows)
    expect(paged.state.get()).toBe(before)
    paged.apply(6, (rows) => rows.map((row) => `${row} changed`))
    expect(rowAt(paged.state.get(), 2)).toBe('row 2 changed')
  })

  test('a failed request is reported, keeps the rows, and is repeated by the next refresh', async () => {
    const { paged, give, asked, offsets, clock } = list()
    paged.show(0, 40)
    await give(10)
    paged.refresh()
    await clock.advance(250)
    asked.shift()?.answer({ ok: false, fault: { kind: 'storage', detail: '' } })
    await settle()
    expect(paged.state.get().fault).toEqual({ kind: 'storage', detail: '' })
    expect([rowAt(paged.state.get(), 0), offsets()]).toEqual(['row 0', []])
    paged.refresh()
    await clock.advance(250)
    await give(10, 'again')
    expect([paged.state.get().fault, rowAt(paged.state.get(), 0)]).toEqual([null, 'again 0'])
  })

  test('stopped, it requests no more', async () => {
    const { paged, clock } = list()
    paged.refresh()
    paged.stop()
    expect(clock.pending()).toBe(0)
  })
})
