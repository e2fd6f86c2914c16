import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { contained, isolated, undirected } from '../../src-shared/text/direction.ts'

test('a text whose direction marks are all closed stays as it is', () => {
  for (const text of [
    'Room 4',
    'חדר 4',
    'a\u202Eb\u202Cc',
    '\u2067חדר\u2069 (\u2066b\u202Ac\u202C\u2069)',
    'A\u200F B',
  ])
    expect(contained(text)).toBe(text)
})

test('a text with an unclosed mark, or a closing one too many, has none', () => {
  expect(contained('Room \u202Eexe.txt')).toBe('Room exe.txt')
  expect(contained('\u2066open')).toBe('open')
  expect(contained('shut\u2069 \u202Eall that follows\u202C')).toBe('shut all that follows')
  expect(contained('\u202Aa\u2066b\u202Cc\u2069')).toBe('abc')
  expect(contained('\u2067two\nlines\u2069')).toBe('two\nlines')
  expect(contained(`${'\u2067'.repeat(61)}x${'\u2069'.repeat(61)}`)).toBe('x')
})

test('in a sentence right-to-left text is isolated, once', () => {
  expect(isolated('חדר 4')).toBe('\u2068חדר 4\u2069')
  expect(isolated('\u2068חדר 4\u2069 is offline')).toBe('\u2068חדר 4\u2069 is offline')
  expect(isolated('\u2066a\u2069 חדר')).toBe('\u2068\u2066a\u2069 חדר\u2069')
  expect(isolated('\u202Eחדר\u2069\u200F')).toBe('\u2068חדר\u2069')
  expect(isolated('Room \u202Eexe.txt\u202C')).toBe('Room exe.txt')
  expect(undirected('\u202E\u2066a\u200F\u061C')).toBe('a')
})

test('no name is open at its end, and cleaning it twice changes nothing', () => {
  const part = constantFrom(
    'a',
    'ח',
    ' ',
    '\n',
    '\u2029',
    '\u200F',
    ...'\u202A\u202B\u202C\u202D\u202E',
    ...'\u2066\u2067\u2068\u2069',
  )
  assert(
    property(array(part, { maxLength: 40 }), (parts) => {
      for (const made of [contained(parts.join('')), isolated(parts.join(''))]) {
        expect(levelsLeft(made)).toBe('')
        expect(contained(made)).toBe(made)
      }
      const plain = isolated(parts.join(''))
      expect(plain).not.toMatch(/[\u202A-\u202E\u200E\u200F\u061C]/u)
      // Nothing from right to left stands outside of an isolate.
      expect(plain.replace(/^\u2068[^]*\u2069$/u, '').replaceAll(/[\u2066-\u2068][^]*\u2069/gu, '')).not.toMatch(/ח/u)
    }),
    { numRuns: 2_000 },
  )
})

/** Marks that wait for their end, or a lone end: computed by removing pairs, as the rule does not. */
function levelsLeft(text: string): string {
  const signs = text.replaceAll(/[^\u202A-\u202E\u2066-\u2069]/gu, '')
  const fewer = signs.replaceAll(/[\u202A\u202B\u202D\u202E]\u202C|[\u2066-\u2068]\u2069/gu, '')
  return fewer === signs ? signs : levelsLeft(fewer)
}
