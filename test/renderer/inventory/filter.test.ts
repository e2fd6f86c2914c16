import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caretIn } from '../../../src-shared/filter/caret.ts'
import {
  askAt,
  suggestionsAt,
  pastSuggestions,
  accepted,
  valueSuggestions,
  withHistory,
} from '../../../src-renderer/inventory/filter/field/completion.ts'
import { relaxedOf, noMatchText } from '../../../src-renderer/inventory/filter/relaxed-filter.ts'
import { segmentCounts, noSpares } from '../../../src-renderer/inventory/filter/scope-counts.ts'
import {
  chipsOf,
  excludesSpares,
  sameFilter,
  segmentOf,
  segments,
  withoutTerm,
  withSegment,
  withSpares,
} from '../../../src-renderer/inventory/filter/segments.ts'

describe('the choices are terms of the filter', () => {
  test.each([
    ['', 'any'],
    ['connected:no', 'down'],
    ['site:Berlin', 'any'],
    ['status:online site:Berlin', 'connected'],
    ['berlin status:OFFLINE', 'down'],
    ['status:unknown', 'unknown'],
    ['connected:yes', null],
    ['-connected:no', null],
    ['connected:no status:offline', null],
    ['status:online,offline', null],
  ])('%s is %s', (filter, segment) => expect(segmentOf(filter)).toBe(segment))

  test('a choice replaces the terms of the status; the other terms stay', () => {
    expect(withSegment('site:Berlin connected:no studio', 'connected')).toBe('status:online site:Berlin studio')
    expect(withSegment('-connected:no site:Berlin', 'any')).toBe('site:Berlin')
    expect(withSegment('', 'down')).toBe('connected:no spare:no')
  })

  test('the offline segment holds with spares or without them, but not with other spare terms', () => {
    expect(
      [
        'connected:no spare:no',
        'spare:no status:offline',
        'connected:no',
        'connected:no spare:yes',
        'spare:yes',
        'spare:no',
        'status:online spare:no',
      ].map(segmentOf),
    ).toEqual(['down', 'down', 'down', null, null, null, null])
    expect(['connected:no spare:no studio', 'connected:no studio', 'spare:no'].map(excludesSpares)).toEqual([
      true,
      false,
      false,
    ])
    expect(withSpares('connected:no spare:no studio')).toBe('connected:no studio')
    expect([
      withSegment('connected:no spare:no studio', 'connected'),
      withSegment('connected:no spare:no studio', 'any'),
    ]).toEqual(['status:online studio', 'studio'])
  })

  test('any sequence of choices gives the filter of the last one', () => {
    const words = array(
      constantFrom('studio', 'site:Berlin', 'connected:no', 'status:online', '-room:none', 'down:>2h', '"two words"'),
    )
    assert(
      property(
        words,
        constantFrom(...segments),
        (textOf, segment) => segmentOf(withSegment(textOf.join(' '), segment)) === segment,
      ),
    )
  })
})

describe('devices offline now and last known offline', () => {
  const textOf = (connected: number, disconnected: number, unknown: number, down: number | null) => {
    const { counts, notSeen, allUnknown } = segmentCounts({ connected, disconnected, unknown }, down, noSpares)
    return [counts.down, notSeen, allUnknown]
  }

  test('are counted apart while a part of the fleet is unknown', () => {
    expect(textOf(900, 22, 0, 22)).toEqual([22, 0, false])
    expect(textOf(450, 22, 450, 44)).toEqual([22, 22, false])
    expect(textOf(0, 0, 900, 44)).toEqual([44, 0, true])
    expect(textOf(900, 22, 0, null)).toEqual([null, 0, false])
  })

  test('are counted without the spares that are not listed', () => {
    const left = { offline: 4, down: 6 }
    expect(segmentCounts({ connected: 900, disconnected: 22, unknown: 0 }, 22, { offline: 4, down: 4 })).toMatchObject({
      counts: { down: 18, any: 922 },
      notSeen: 0,
    })
    expect(segmentCounts({ connected: 450, disconnected: 22, unknown: 450 }, 44, left)).toMatchObject({
      counts: { down: 18 },
      notSeen: 20,
    })
    expect(segmentCounts({ connected: 0, disconnected: 0, unknown: 900 }, 44, left)).toMatchObject({
      counts: { down: 38 },
      allUnknown: true,
    })
  })
})

describe('chips equal the text', () => {
  test('one for each term; removing it keeps the others', () => {
    const filter = 'connected:no site:"Berlin Mitte" model~Studio -tenant:lab'
    expect(chipsOf(filter).map(({ text }) => text)).toEqual([
      'connected:no',
      'site:"Berlin Mitte"',
      'model~Studio',
      '-tenant:lab',
    ])
    expect(withoutTerm(filter, 1)).toBe('connected:no model~Studio -tenant:lab')
    // Hidden spares are shown beside the count, and their exclusion ends with the list that has it.
    const without = 'connected:no spare:no site:a'
    expect(chipsOf(without).map(({ index, text }) => [index, text])).toEqual([
      [0, 'connected:no'],
      [2, 'site:a'],
    ])
    expect([withoutTerm(without, 0), withoutTerm(without, 2)]).toEqual(['site:a', 'connected:no spare:no'])
    expect(chipsOf('status:online spare:no').map(({ text }) => text)).toEqual(['status:online', 'spare:no'])
  })

  test('a chip of many values shows how many, and the whole term in its label', () => {
    const ids = Array.from({ length: 40 }, (_, index) => `d${index}`).join()
    const textOf = (filter: string) => chipsOf(filter).map(({ text }) => text)
    expect(chipsOf(`id:${ids}`)).toEqual([{ index: 0, text: 'id: 40 devices', full: `id:${ids}` }])
    expect(textOf('site:"Berlin HQ","Dublin HQ",none,Haus*')).toEqual(['site: Berlin HQ, Dublin HQ and 2 more'])
    expect(textOf('-room~a,b,c,d')).toEqual(['not room has a, b and 2 more'])
    expect(textOf('site:a,b,c')).toEqual(['site:a,b,c'])
  })

  test('a choice above the table has none', () => {
    expect(['connected:no', 'connected:no spare:no', 'status:online'].flatMap(chipsOf)).toEqual([])
    expect(chipsOf('status:offline').map(({ text }) => text)).toEqual(['status:offline'])
    expect(chipsOf('connected:yes').map(({ text }) => text)).toEqual(['connected:yes'])
  })

  test('removing all of them one by one leaves nothing', () => {
    let filter = 'a site:b down:>2h'
    while (chipsOf(filter).length > 0) filter = withoutTerm(filter, 0)
    expect(filter).toBe('')
  })

  test('two filters that are written differently may be the same query', () => {
    expect(sameFilter('site:"Berlin"  studio', 'site:Berlin studio')).toBe(true)
    expect(sameFilter('site:Berlin', 'site:Bonn')).toBe(false)
  })
})

describe('an exact match', () => {
  test('can be relaxed: the term alone, and the whole filter with it', () => {
    const [site, model, ...others] = relaxedOf('connected:no site:Berlin model:"Poly X" studio down:>2h')
    expect(others).toEqual([])
    expect(site).toMatchObject({
      exact: 'site:Berlin',
      loose: 'site:Berlin*',
      filter: 'connected:no site:Berlin* model:"Poly X" studio down:>2h',
    })
    expect(model?.filter).toBe('connected:no site:Berlin model:"Poly X*" studio down:>2h')
  })

  test.each([
    'site:Berlin*',
    '-site:Berlin',
    'site~Berlin',
    'site:Berlin,Bonn',
    'site:none',
    'status:online',
    'seen:>2h',
    'berlin',
  ])('%s cannot be relaxed', (filter) => expect(relaxedOf(filter)).toEqual([]))

  test('is described for each field', () => {
    expect(['site:Berlin', 'name:x', 'model:X50'].flatMap(relaxedOf).map(noMatchText)).toEqual([
      'No site is called Berlin.',
      'No device is called x.',
      'No device has the model X50.',
    ])
  })
})

describe('completion', () => {
  const at = (text: string) => caretIn(text, text.length)
  const labels = (text: string, columns: string[] = []) =>
    suggestionsAt(text, at(text), columns).map(({ label }) => label)

  test('of fields, extra columns among them', () => {
    expect(labels('si')).toEqual(['site:'])
    expect(labels('site:Berlin so', ['softwareVersion'])).toEqual(['softwareVersion:'])
    expect(labels('')).toEqual([])
  })

  test('of choices and durations needs no call; of values it does', () => {
    expect(labels('connected:n')).toEqual(['no', 'none'])
    expect([labels('down:>2'), labels('seen:<=1')]).toEqual([['2h'], ['15m', '1h', '1d']])
    expect(labels('down:')).toContain('>2h')
    expect(askAt(at('down:>2'))).toBeNull()
    expect(askAt(at('studio -site:Ber'))).toEqual({ field: 'site', text: 'Ber' })
    expect(askAt(at('site:"Berlin Mi'))).toEqual({ field: 'site', text: 'Berlin Mi' })
  })

  test('values with the typed prefix come first, and one with a space is quoted', () => {
    const text = 'connected:no site:ber'
    const caret = at(text)
    if (caret === null) throw new Error('there is something to complete')
    const offers = valueSuggestions(caret, [
      { value: 'Bad Berka', count: 9 },
      { value: 'Berlin Mitte', count: 3 },
    ])
    expect(offers.map(({ label, hint }) => [label, hint])).toEqual([
      ['Berlin Mitte', '3'],
      ['Bad Berka', '9'],
    ])
    const [first] = offers
    if (first === undefined) throw new Error('there is an offer')
    expect(accepted(text, first)).toEqual({ text: 'connected:no site:"Berlin Mitte" ', caret: 33 })
  })

  test('an accepted field has its colon and the caret behind it, also in the middle of the text', () => {
    const [offer] = suggestionsAt('si studio', caretIn('si studio', 2), [])
    if (offer === undefined) throw new Error('there is an offer')
    expect(accepted('si studio', offer)).toEqual({ text: 'site: studio', caret: 5 })
  })
})

describe('the history', () => {
  test('the last used is first, each once, up to a limit', () => {
    expect(withHistory(['a', 'b'], 'b')).toEqual(['b', 'a'])
    expect(withHistory(['a', 'b'], 'c', 2)).toEqual(['c', 'a'])
    expect(withHistory(['a'], '')).toEqual(['a'])
  })

  test('is offered by its content, and replaces the whole text', () => {
    const [offer, more] = pastSuggestions('ber', ['site:Berlin', 'down:>2h', 'ber'], 5)
    expect(more).toBeUndefined()
    if (offer === undefined) throw new Error('there is an offer')
    expect(accepted('ber', offer)).toEqual({ text: 'site:Berlin', caret: 11 })
  })
})
