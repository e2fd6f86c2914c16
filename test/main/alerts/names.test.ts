import { describe, expect, test } from 'vitest'
import { listed, nameIn, timeIn } from '../../../src-main/alerts/names.ts'

describe('a name in a sentence', () => {
  test('a usual one stays as it is', () => {
    expect(nameIn('Studio 1, Zürich <b>')).toBe('Studio 1, Zürich <b>')
  })

  test('a long one is cut between characters as a reader sees them', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(nameIn(family.repeat(60))).toBe(`${family.repeat(39)}…`)
    expect(nameIn('e\u0301'.repeat(41))).toBe(`${'e\u0301'.repeat(39)}…`)
    expect(nameIn('x'.repeat(40))).toBe('x'.repeat(40))
  })

  test('one of a million characters, or of one that has no end, is cut in no time', () => {
    const before = performance.now()
    expect(nameIn(`x${'\u0301'.repeat(1_000_000)}`).length).toBeLessThan(2_100)
    expect(nameIn('y'.repeat(5_000_000))).toBe(`${'y'.repeat(39)}…`)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  test('one that is written from right to left stands by itself', () => {
    expect(nameIn('חדר 4')).toBe('\u2068חדר 4\u2069')
  })

  test('what would turn or break the sentence is left out', () => {
    expect(nameIn('evil\u202Etxt\u2069.exe')).toBe('eviltxt.exe')
    expect(nameIn('two\nlines\u0000\tand  more ')).toBe('two lines and more')
    expect(nameIn('half \uD83D')).toBe('half \uFFFD')
  })

  test('none is said', () => {
    expect(nameIn(' \u200F ')).toBe('(no name)')
  })
})

test('a list says how many more there are', () => {
  expect(listed(['A'], 1)).toBe('A')
  expect(listed(['A', 'B'], 2)).toBe('A and B')
  expect(listed(['A', 'B', 'C'], 3)).toBe('A, B and C')
  expect(listed(['A', 'B', 'C'], 12)).toBe('A, B, C and 9 more')
})

test('a time has its day when it is not of today, and UTC is said', () => {
  const at = Date.parse('2026-11-20T23:12:00Z')
  expect(timeIn(at, Date.parse('2026-11-20T23:50:00Z'), true)).toBe('23:12 UTC')
  expect(timeIn(at, Date.parse('2026-11-21T00:10:00Z'), true)).toBe('20 Nov 23:12 UTC')
})
