import { expect, test } from 'vitest'
import { createNameIndex, lowerCase } from '../../../src-main/support/names/name-index.ts'

function foundIn(text: string, ...names: string[]): string[] {
  const known = createNameIndex<string>()
  for (const name of names) known.add(name, name)
  const found: string[] = []
  for (
    let from = 0, next = known.next(lowerCase(text), from);
    next !== null;
    next = known.next(lowerCase(text), from)
  ) {
    found.push(`${next.value}@${text.slice(next.at, next.end)}`)
    from = next.end
  }
  return found
}

test('the longest name at a position is found, in any case, and then the next one', () => {
  expect(foundIn('ACME Berlin, acme; Acme Ber', 'Acme', 'Acme Berlin', 'Berlin')).toEqual([
    'Acme Berlin@ACME Berlin',
    'Acme@acme',
    'Acme@Acme',
  ])
})

test('a name is found only as a whole word', () => {
  expect(foundIn('Ives, xIve, 2Ive, Ive2, Ive.x, (Ive) Ive.', 'Ive')).toEqual(['Ive@Ive', 'Ive@Ive'])
  expect(foundIn('a(x) (x)', '(x)')).toEqual(['(x)@(x)'])
})

test('names of signs, other scripts and letters that grow in lower case are found', () => {
  expect(foundIn('🏢 of ÉCOLE 東京 (İzmir) in İZMİR', '🏢', 'école', '東京', 'İzmİr', 'İzmir')).toEqual([
    '🏢@🏢',
    'école@ÉCOLE',
    '東京@東京',
    'İzmir@İzmir',
    'İzmİr@İZMİR',
  ])
  expect(foundIn('anything at all', '', ' ')).toEqual([])
})

test('names learned later are found from then on, and of one name the last value holds', () => {
  const known = createNameIndex<number>()
  expect(known.next('acme', 0)).toBeNull()
  known.add('Acme', 1)
  known.add(' acme ', 2)
  expect(known.next('to acme', 0)).toEqual({ at: 3, end: 7, value: 2 })
  expect(known.next('to acme', 4)).toBeNull()
})
