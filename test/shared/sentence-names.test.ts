import { describe, expect, test } from 'vitest'
import { nameList, nameText, timeText } from '../../src-shared/text/names.ts'

describe('a name in a sentence', () => {
  test('a usual one stays as it is', () => {
    expect(nameText('Studio 1, Zürich <b>')).toBe('Studio 1, Zürich <b>')
  })

  test('a long one is cut between characters as a reader sees them', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(nameText(family.repeat(60))).toBe(`${family.repeat(39)}…`)
    expect(nameText('e\u0301'.repeat(41))).toBe(`${'e\u0301'.repeat(39)}…`)
    expect(nameText('x'.repeat(40))).toBe('x'.repeat(40))
  })

  test('one of a million characters, or with unclosed marks, is cut at once', () => {
    const before = performance.now()
    expect(nameText(`x${'\u0301'.repeat(1_000_000)}`).length).toBeLessThan(2_100)
    expect(nameText('y'.repeat(5_000_000))).toBe(`${'y'.repeat(39)}…`)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  test('one that is written from right to left is isolated', () => {
    expect(nameText('חדר 4')).toBe('\u2068חדר 4\u2069')
  })

  test('characters that would turn or break the sentence are removed', () => {
    expect(nameText('evil\u202Etxt\u2069.exe')).toBe('eviltxt.exe')
    expect(nameText('two\nlines\u0000\tand  more ')).toBe('two lines and more')
    expect(nameText('half \uD83D')).toBe('half \uFFFD')
  })

  test('an empty one is named as such', () => {
    expect(nameText(' \u200F ')).toBe('(no name)')
  })
})

test('a list says how many more there are', () => {
  expect(nameList(['A'], 1)).toBe('A')
  expect(nameList(['A', 'B'], 2)).toBe('A and B')
  expect(nameList(['A', 'B', 'C'], 3)).toBe('A, B and C')
  expect(nameList(['A', 'B', 'C'], 12)).toBe('A, B, C and 9 more')
})

test('a time has its day when it is not of today, and UTC is said', () => {
  const at = Date.parse('2026-11-20T23:12:00Z')
  expect(timeText(at, Date.parse('2026-11-20T23:50:00Z'), true)).toBe('23:12 UTC')
  expect(timeText(at, Date.parse('2026-11-21T00:10:00Z'), true)).toBe('20 Nov 23:12 UTC')
})
