import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printFilter, type Term } from '../../src-shared/filter/filter.ts'
import { linkLimit, openedBy, parseLink, printLink, type Link } from '../../src-shared/navigation/link.ts'
import { screens } from '../../src-shared/navigation/screens.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((each) => !/\p{Cc}/u.test(each))
const filter = fc
  .option(text, { nil: null })
  .map((words) => (words === null ? '' : printFilter([{ kind: 'text', not: false, text: words } as Term])))
const link: fc.Arbitrary<Link> = fc.oneof(
  fc.record({ to: fc.constant('device' as const), key: text }),
  fc.record({ to: fc.constant('incident' as const), id: text }),
  fc.record({ to: fc.constant('place' as const), id: text }),
  fc.record({ to: fc.constant('past' as const), at: fc.nat(100_000_000).map((minutes) => minutes * 60_000) }),
  fc.record({ to: fc.constant('devices' as const), scope: text, filter }),
  fc.record({ to: fc.constant('screen' as const), screen: fc.constantFrom(...screens) }),
  fc.record({ to: fc.constant('operation' as const), id: text }),
  fc.record({
    to: fc.constant('query' as const),
    document: fc.array(text, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n\t')),
    variables: fc.option(text, { nil: '' }),
  }),
)

describe('a link', () => {
  it('is read as it was printed, whatever is in its names', () => {
    fc.assert(
      fc.property(link, (wanted) => {
        const printed = printLink(wanted)
        expect(printed).toMatch(/^muster:\/\/[!-~]*$/u)
        expect(parseLink(printed ?? '')).toEqual(wanted)
        expect(parseLink((printed ?? '').replace('muster:', 'MUSTER:'))).toEqual(wanted)
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('is never longer than its limit, and one that would be is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3 * linkLimit }), (key) => {
        const printed = printLink({ to: 'device', key })
        expect(printed === null || (printed.length <= linkLimit && 'to' in parseLink(printed))).toBe(true)
      }),
      { seed, numRuns: 100 },
    )
    expect(printLink({ to: 'device', key: 'k'.repeat(linkLimit) })).toBeNull()
    expect(printLink({ to: 'devices', scope: 'all', filter: 'connected:perhaps' })).toBeNull()
    expect(printLink({ to: 'incident', id: 'half a pair \uD83D' })).toBeNull()
  })

  it('reads every text as a link of a known kind or as none, and prints it again', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 60 }).map((tail) => `muster://${tail}`),
      fc.string({ maxLength: 40 }).map((tail) => `muster://devices?${tail}`),
      fc.base64String({ maxLength: 40 }).map((tail) => `muster://query?document=${tail}`),
    )
    fc.assert(
      fc.property(noise, (any) => {
        const read = parseLink(any)
        if (!('problem' in read)) expect(parseLink(printLink(read) ?? '')).toEqual(read)
      }),
      { seed, numRuns: 3000 },
    )
  })

  it.each([
    ['muster://devices', { to: 'devices', scope: 'all', filter: '' }],
    ['muster://devices/?filter=connected%3Ano', { to: 'devices', scope: 'all', filter: 'connected:no' }],
    [
      'muster://devices?scope=s%3Aa%2Fb%2Fc&filter=down%3A%3E2h',
      { to: 'devices', scope: 's:a/b/c', filter: 'down:>2h' },
    ],
    ['muster://device/svc.example%252Fgraphql%2Ft1%2Fd1', { to: 'device', key: 'svc.example%2Fgraphql/t1/d1' }],
    ['muster://past/2026-11-24T08%3A00Z', { to: 'past', at: Date.UTC(2026, 10, 24, 8) }],
    ['muster://incident/abc/', { to: 'incident', id: 'abc' }],
    ['muster://room/settings', { to: 'screen', screen: 'settings' }],
  ])('%s', (given, wanted) => {
    expect(parseLink(given)).toEqual(wanted)
  })

  it.each([
    '',
    'muster:',
    'muster://',
    'muster://device',
    'muster://device/',
    'muster://device/a/b',
    'muster://device/%zz',
    'muster://device/a%00b',
    'muster://device/%ED%A0%80',
    'muster://device/a?filter=b',
    'muster://room/kitchen',
    'muster://room/Settings',
    'muster://devices?scope=',
    'muster://devices?scope=a&scope=b',
    'muster://devices?filter',
    'muster://devices?sort=name',
    'muster://devices?filter=connected%3Aperhaps',
    'muster://devices#a',
    'muster://incident/a#b',
    'muster://past/2026-02-30T08%3A00Z',
    'muster://past/yesterday',
    'muster://acknowledge/a',
    'muster://user@device/a',
    'https://device/a',
    ' muster://room/settings',
    'muster://room/settings\n',
    `muster://device/${'k'.repeat(linkLimit)}`,
    'muster://devices?__proto__=a',
    'muster://constructor/a',
  ])('an invalid link leads nowhere (%#)', (given) => {
    expect(parseLink(given)).toEqual({ problem: expect.stringMatching(/^It .*\.$/u) })
  })

  it('opens, and triggers no action', () => {
    fc.assert(
      fc.property(link, (any) => {
        expect(openedBy(any)).not.toHaveProperty('seek')
        expect(openedBy(any)).not.toHaveProperty('dialog')
      }),
      { seed, numRuns: 200 },
    )
    expect(openedBy({ to: 'incident', id: 'a' })).toEqual({ scope: 'all', filter: '', device: null, incident: 'a' })
    expect(openedBy({ to: 'screen', screen: 'incidents' })).toEqual({
      scope: 'all',
      filter: '',
      device: null,
      screen: 'incidents',
    })
  })
})
