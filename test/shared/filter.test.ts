import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caretIn, fieldsLike } from '../../src-shared/filter/caret.ts'
import {
  amountOf,
  ownFields,
  parseFilter,
  printFilter,
  type Term,
  type TermField,
} from '../../src-shared/filter/filter.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('none', 'a b', '"', '\\', 'a,b', '-x', 'site:x', '>5', '=', '=5', '*', 'Zürich', 'NONE'),
)
const nameOf = (kind: string) => ownFields.filter((field) => field.kind === kind).map(({ name }) => name)
const extraColumns = fc.constantFrom<TermField>('extra:serial', 'extra:user.email', 'extra:_x1')
const not = fc.boolean()
const notOnlySpace = texts.filter((text) => text.trim() !== '')
const value = fc.oneof(fc.constant(null), fc.array(texts, { minLength: 1, maxLength: 3 }))
const pattern = fc.array(texts, { minLength: 1, maxLength: 3 })

/** Terms as the parser makes them: everything that can be said in the language. */
const term: fc.Arbitrary<Term> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), not, text: notOnlySpace }),
  fc.record({
    kind: fc.constant('match' as const),
    not,
    field: fc.oneof(fc.constantFrom(...nameOf('text')), extraColumns),
    how: fc.constant('is' as const),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('match' as const),
    not,
    field: fc.oneof(fc.constantFrom(...nameOf('text')), extraColumns),
    how: fc.constant('has' as const),
    values: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('match' as const),
    not,
    field: fc.constant('connected' as const),
    how: fc.constant('is' as const),
    values: fc.array(fc.constantFrom(['yes'], ['no'], null), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('match' as const),
    not,
    field: fc.constantFrom(...nameOf('time'), ...nameOf('duration')),
    how: fc.constant('is' as const),
    values: fc.constant([null]),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    not,
    field: fc.constantFrom(...nameOf('time')),
    operator: fc.constantFrom('>' as const, '<=' as const),
    amount: fc.constantFrom('2h', '1d12h', '1.5w', '2026-01-31', '2026-01-31T10:00+02:00').map(amountOf),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    not,
    field: extraColumns,
    operator: fc.constantFrom('<' as const, '>=' as const),
    amount: fc.oneof(texts, fc.double({ noNaN: true }).map(String)).map(amountOf),
  }),
)

describe('the filter language', () => {
  test('printed terms parse to the same terms', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 6 }), (terms) => {
        const printed = printFilter(terms)
        expect({ printed, ...parseFilter(printed) }).toEqual({ printed, terms, problems: [] })
      }),
      { seed, numRuns: 3000 },
    )
  })

  test('no text breaks it, errors lie in the text, and accepted terms can be printed', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            'site',
            'down',
            'connected',
            'foo',
            ':',
            '~',
            '>',
            '<=',
            '"',
            ',',
            '-',
            ' ',
            '\\',
            '*',
            '2h',
            'no',
            'none',
            '2026-01-01',
            'x',
          ),
          { maxLength: 20 },
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(typed, fc.nat(40), (text, caret) => {
        const { terms, problems } = parseFilter(text, ['foo'])
        for (const { from, to, message } of problems) {
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(text.length)
          expect(message).not.toBe('')
        }
        expect(parseFilter(printFilter(terms), ['foo'])).toEqual({ terms, problems: [] })
        const under = caretIn(text, Math.min(caret, text.length))
        if (under) expect(text.slice(under.from, under.to).length).toBe(under.to - under.from)
      }),
      { seed, numRuns: 5000 },
    )
  })

  test('the words of the specification', () => {
    const { terms, problems } = parseFilter('connected:no site:"Berlin" model~Studio down:>2h -tenant:lab', [])
    expect(problems).toEqual([])
    expect(terms).toEqual([
      { kind: 'match', not: false, field: 'connected', how: 'is', values: [['no']] },
      { kind: 'match', not: false, field: 'site', how: 'is', values: [['Berlin']] },
      { kind: 'match', not: false, field: 'hardwareModel', how: 'has', values: [['Studio']] },
      {
        kind: 'compare',
        not: false,
        field: 'down',
        operator: '>',
        amount: { text: '2h', age: 7_200_000, date: null, number: null },
      },
      { kind: 'match', not: true, field: 'tenant', how: 'is', values: [['lab']] },
    ])
  })

  test.each([
    ['sit:Berlin', 'sit', '“site”'],
    ['stie:Berlin', 'stie', '“site”'],
    ['roomm:1', 'roomm', '“room”'],
    ['a foo:1', 'foo', 'quotation marks'],
    ['room:x site:', 'site:', 'Enter a value for site'],
    ['site:"Ber', '"Ber', 'not closed'],
    ['"a"b', 'b', 'space'],
    ['down:2h', 'down:2h', 'down:>2h'],
    ['down~2h', 'down~2h', 'down:>2h'],
    ['down:>2x', '2x', '30m, 2h or 7d'],
    ['down:>2026-01-01', '2026-01-01', '30m, 2h or 7d'],
    ['seen:>2026-02-30', '2026-02-30', '2026-01-31'],
    ['name:>5', 'name:>5', 'cannot be compared'],
    ['status:on', 'on', 'online, offline or unknown'],
    ['status:none', 'none', 'online, offline or unknown'],
    ['connected:maybe', 'maybe', 'yes, no or none'],
    ['down:>2h,3h', 'down:>2h,3h', 'one value'],
  ])('the error of %s marks its word and gives advice', (text, word, advice) => {
    const { problems } = parseFilter(text, ['serial'])
    expect(problems.map(({ from, to }) => text.slice(from, to))).toEqual([word])
    expect(problems[0]?.message).toContain(advice)
  })

  test('a filter has at most a hundred words', () => {
    expect(parseFilter('x '.repeat(100)).problems).toEqual([])
    expect(parseFilter('x '.repeat(101)).problems).toHaveLength(1)
  })

  test('dates are in UTC, ages add up', () => {
    expect(amountOf('2026-01-31').date).toBe(Date.UTC(2026, 0, 31))
    expect(amountOf('2026-01-31T10:30').date).toBe(Date.UTC(2026, 0, 31, 10, 30))
    expect(amountOf('2026-01-31T10:30+02:00').date).toBe(Date.UTC(2026, 0, 31, 8, 30))
    expect(amountOf('1w2d3h4m5s').age).toBe(((9 * 24 + 3) * 60 + 4) * 60_000 + 5000)
    expect(amountOf('2026-13-01')).toEqual({ text: '2026-13-01', age: null, date: null, number: null })
  })

  test('extra columns are found in any case, where the columns are known', () => {
    expect(parseFilter('SERIAL:x', ['serial']).terms).toMatchObject([{ field: 'extra:serial' }])
    expect(parseFilter('anything:x').terms).toMatchObject([{ field: 'extra:anything' }])
  })
})

describe('the word under the caret', () => {
  test.each([
    ['sit', 3, { kind: 'field', field: '', from: 0, to: 3, typed: 'sit' }],
    ['-si x', 2, { kind: 'field', field: '', from: 1, to: 3, typed: 's' }],
    ['site:Ber', 8, { kind: 'value', field: 'site', from: 5, to: 8, typed: 'Ber' }],
    ['site:"Haus 1" x', 11, { kind: 'value', field: 'site', from: 5, to: 13, typed: 'Haus ' }],
    ['site:a,b', 8, { kind: 'value', field: 'site', from: 7, to: 8, typed: 'b' }],
    ['site:', 5, { kind: 'value', field: 'site', from: 5, to: 5, typed: '' }],
    ['site:x room:', 12, { kind: 'value', field: 'room', from: 12, to: 12, typed: '' }],
    ['a  b', 2, { kind: 'field', field: '', from: 2, to: 2, typed: '' }],
    ['"two words"', 5, null],
  ])('%s at %i', (text, caret, expected) => expect(caretIn(text, caret)).toEqual(expected))

  test('fields are offered by their prefixes, extra columns last', () => {
    expect(fieldsLike('s', ['serial', 'x']).map(({ written }) => written)).toEqual([
      'site',
      'status',
      'spare',
      'seen',
      'serial',
    ])
    expect(fieldsLike('mod', []).map(({ field }) => field)).toEqual(['hardwareModel'])
    expect(fieldsLike('hard', []).map(({ written }) => written)).toEqual(['model'])
  })
})
