import { describe, expect, test } from 'vitest'
import {
  stretchAt,
  stretchesOf,
  stretchMove,
  stretchText,
} from '../../../src-renderer/incidents/availability/stretches.ts'
import { ticksOf } from '../../../src-renderer/incidents/availability/ticks.ts'
import type { StripPart } from '../../../src-shared/model/incidents.ts'

const minute = 60_000
const quarter = 15 * minute

/** Minutes up, down and not seen of each quarter of an hour. */
const strip = (devices: number, ...minutes: [up: number, down: number, unseen: number][]) => ({
  devices,
  from: 0,
  until: minutes.length * quarter,
  parts: minutes.map(([up, down, unseen]): StripPart => ({
    up: up * minute,
    down: down * minute,
    reported: 0,
    unseen: unseen * minute,
  })),
})
const textOf = (of: ReturnType<typeof strip>) =>
  stretchesOf(of).map((stretch) => [stretch.from / quarter, stretch.until / quarter, stretchText(stretch, of.devices)])

describe('stretches', () => {
  test('of one device a drop is one, with its length, however the parts cut it', () => {
    expect(
      textOf(strip(1, [0, 0, 15], [15, 0, 0], [15, 0, 0], [8, 7, 0], [0, 15, 0], [5, 10, 0], [15, 0, 0], [3, 0, 12])),
    ).toEqual([
      [0, 1, 'No data for 15 min'],
      [1, 3, 'Up for 30 min'],
      [3, 6, 'Down for 32 min, up for 13 min'],
      [6, 7, 'Up for 15 min'],
      [7, 8, 'No data for 12 min, up for 3 min'],
    ])
  })

  test('time that the service alone reports is a stretch of its own', () => {
    const part = (reported: number, down: number, unseen: number): StripPart => ({
      up: 0,
      down: down * minute,
      reported: reported * minute,
      unseen: unseen * minute,
    })
    expect(
      textOf({ devices: 1, from: 0, until: 3 * quarter, parts: [part(0, 0, 15), part(15, 0, 0), part(5, 10, 0)] }),
    ).toEqual([
      [0, 1, 'No data for 15 min'],
      [1, 2, 'Reported offline for 15 min'],
      [2, 3, 'Down for 10 min, reported offline for 5 min'],
    ])
  })

  test('of a place each share is one, and an empty share is left out', () => {
    expect(textOf(strip(2, [30, 0, 0], [30, 0, 0], [15, 15, 0], [15, 15, 0], [15, 10, 5], [0, 30, 0]))).toEqual([
      [0, 2, 'Up for 30 min'],
      [2, 4, 'Down 50\u00A0%, up 50\u00A0% for 30 min'],
      [4, 5, 'Down 33.3\u00A0%, no data 16.7\u00A0%, up 50\u00A0% for 15 min'],
      [5, 6, 'Down for 15 min'],
    ])
  })

  test('together they are the strip', () => {
    const all = strip(3, [45, 0, 0], [44, 1, 0], [45, 0, 0], [0, 0, 45])
    const stretches = stretchesOf(all)
    expect(stretches.flatMap(({ parts }) => parts)).toEqual(all.parts)
    expect(stretches.map(({ from }, index) => from === (stretches[index - 1]?.until ?? 0))).toEqual(
      stretches.map(() => true),
    )
    expect(stretches.at(-1)?.until).toBe(all.until)
  })
})

describe('days and hours under a strip', () => {
  const until = Date.parse('2026-11-22T08:40:00Z')
  const words = (hours: number) =>
    ticksOf(until - hours * 3_600_000, until, 'utc').map(({ word, share }) => `${word} ${Math.round(share * 100)}`)

  test('a day has marks every six hours, a week each day, a month each Monday', () => {
    expect(words(24)).toEqual(['18:00 39', '00:00 64'])
    expect(words(7 * 24)).toEqual(['Tue 17 23', 'Wed 18 38', 'Thu 19 52', 'Fri 20 66'])
    expect(words(30 * 24)).toEqual(['2 Nov 32', '9 Nov 55', '16 Nov 79'])
  })

  test("in the operator's own zone", () => {
    const local = ticksOf(until - 24 * 3_600_000, until, 'local')
    expect(local.map(({ word }) => word)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(00|06|12|18):00$/u)]),
    )
    expect(
      local.every(
        ({ share, word }) => new Date(until - (1 - share) * 24 * 3_600_000).getHours() === Number(word.slice(0, 2)),
      ),
    ).toBe(true)
  })
})

describe('by the keyboard', () => {
  // Up for an hour, down, up, down, up for an hour.
  const stretches = stretchesOf(
    strip(
      1,
      [15, 0, 0],
      [15, 0, 0],
      [15, 0, 0],
      [15, 0, 0],
      [0, 15, 0],
      [15, 0, 0],
      [0, 15, 0],
      [15, 0, 0],
      [15, 0, 0],
      [15, 0, 0],
      [15, 0, 0],
    ),
  )
  const move = (key: string, index: number) => stretchMove(key, stretches, index, 30 * minute)

  test('arrows go one by one and stop at the ends, a page goes by its time and by one at least', () => {
    expect(stretches).toHaveLength(5)
    expect([
      move('ArrowLeft', 4),
      move('ArrowLeft', 0),
      move('ArrowRight', 0),
      move('ArrowRight', 4),
      move('Home', 3),
      move('End', 0),
    ]).toEqual([3, 0, 1, 4, 0, 4])
    expect([
      move('PageUp', 4),
      move('PageUp', 1),
      move('PageDown', 0),
      move('PageDown', 1),
      move('PageDown', 4),
    ]).toEqual([2, 0, 1, 3, 4])
    expect([move('a', 2), move('Escape', 2), move('Enter', 2)]).toEqual([null, null, null])
  })

  test('a moment is in its stretch, or in the first or last one outside of them', () => {
    expect([
      stretchAt(stretches, null),
      stretchAt(stretches, -1),
      stretchAt(stretches, 60 * minute),
      stretchAt(stretches, 75 * minute),
      stretchAt(stretches, 1e12),
    ]).toEqual([4, 0, 1, 2, 4])
  })
})
