import { expect, test } from 'vitest'
import { explanation, type Explanation } from '../../src-shared/model/explanation.ts'
import type { Suppression } from '../../src-shared/model/incidents.ts'
import { explanationText } from '../../src-shared/text/explanation.ts'

const text = (one: Explanation): string => explanationText(explanation.parse(one), (at) => `[${at}]`)

const place = { kind: 'place', place: 'Berlin', peak: 11, total: 12, others: 0 } as const
const rules = { minDevices: 3, minShare: 0.6, holdOffMs: 90_000 }

test.each<[name: string, of: Explanation, text: string]>([
  [
    'of a place',
    { ...place, ...rules },
    'Peak: 11 of 12 devices known in Berlin down, 92\u00A0%. The threshold of a place is 3 devices and 60\u00A0%. The alert delay is 90 s.',
  ],
  [
    'of a place of unknown size',
    { ...place, ...rules, peak: 1_200, total: null, others: 1, holdOffMs: 0 },
    'Peak: 1,200 devices down, and 1 other with them. The threshold of a place is 3 devices and 60\u00A0%. There is no alert delay here.',
  ],
  [
    'of an unknown place',
    { ...place, ...rules, place: null, others: 1_200, holdOffMs: 1_800_000 },
    'Peak: 11 of 12 devices known in this place down, 92\u00A0%, and 1,200 others with them. The threshold of a place is 3 devices and 60\u00A0%. The alert delay is 30 min.',
  ],
  ['of a device', { kind: 'device', holdOffMs: 119_000 }, 'The alert delay is 119 s.'],
  [
    'of several places',
    { kind: 'several', peak: 1, wasLarger: false, holdOffMs: 90_000 },
    'Peak: 1 device down at a time, without a common site. The alert delay is 90 s.',
  ],
  [
    'of flapping',
    { kind: 'flapping', transitions: 5, periodMs: 1_800_000 },
    'A device flaps when it changes 5 times in 30 min, and is steady again when it changes once at most in that time.',
  ],
])('the thresholds %s', (_name, of, words) => {
  expect(text(of)).toBe(words)
})

test('a severity of a closed incident is in the past', () => {
  const severity = { kind: 'severity', place: 'site', closed: true } as const
  expect((['half', 'less', 'many', 'flapping'] as const).map((because) => text({ ...severity, because }))).toEqual([
    'It was critical because half of a site or more was down.',
    'It was major because less than half of a site was down.',
    'It was major because ten devices or more were down in it.',
    'It was major because a whole site was flapping.',
  ])
  expect(text({ ...severity, because: 'less', place: null, closed: false })).toBe(
    'It is major because less than half of a place is down.',
  )
  expect(text({ kind: 'watched', count: 2 })).toBe('It is critical because 2 devices on the watch list are in it.')
})

test('a notification says with what it was sent, and where it was shown', () => {
  const delivery = { shell: 'web', isDelivered: null } as const
  expect(
    (['absence', 'monitoring-restored'] as const).map((as) =>
      text({ kind: 'notified', at: 5, delivery: { ...delivery, as } }),
    ),
  ).toEqual([
    'Notified at [5] in the summary after an absence, in app (bell and window title); desktop notification not confirmed.',
    'Notified at [5] when monitoring was restored, in app (bell and window title); desktop notification not confirmed.',
  ])
  expect(
    text({
      kind: 'alerted',
      thresholds: { holdOffMs: 0, place: null },
      thresholdsPlace: '',
      watched: false,
      overrode: '',
    }),
  ).toBe('Alerted without delay, by the settings of that time.')
})

test('a name in an explanation turns no sentence', () => {
  expect(text({ kind: 'in-maintenance', window: 'evil\u202Etxt\u2069\nPatch' })).toBe(
    'It was suppressed by the maintenance window eviltxt Patch. The report at its end counts it.',
  )
})

test.each<[suppression: Suppression, text: string]>([
  [{ why: 'snoozed', until: null, name: '' }, 'Snoozed until it recovers. It notifies on recovery.'],
  [{ why: 'snoozed', until: 5, name: '' }, 'Snoozed. It alerts again if still down.'],
  [{ why: 'absence', until: null, name: '' }, 'Found after an absence. Muster notifies when the sync is complete.'],
])('a suppression %j', (suppression, words) => {
  expect(text({ kind: 'suppressed', suppression })).toBe(words)
})
