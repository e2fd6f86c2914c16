import { describe, expect, test } from 'vitest'
import { eventDetail, message, type EventDetail, type Headline, type Message } from '../../src-shared/model/messages.ts'
import { detailText, messageBody, messageTitle, searchText } from '../../src-shared/text/messages.ts'

const time = (at: number) => `[${at}]`
const berlin = { kind: 'place', name: 'Berlin' } as const
const none = { kind: 'none' } as const
const scope = { count: 12, where: berlin, context: ['Acme'], names: ['A', 'B', 'C'] }
const incident = { ...scope, shape: 'node', since: 5 } as const
const one = { ...incident, count: 1, shape: 'device' as const, where: none, context: ['Room 1', 'Berlin', 'Acme'] }
const offline = { kind: 'offline', missed: false, others: 0, unseen: 0, overrode: null } as const
const nothingLeft = { left: { down: 0, unseen: 0 }, missed: null }

type Case = [name: string, of: Message, title: string, body: string]

const incidents: Case[] = [
  ['a place', { ...offline, ...incident }, '12 devices offline in Berlin', 'Acme. A, B, C and 9 more. Since [5].'],
  ['one device', { ...offline, ...one }, 'A is offline', 'Room 1, Berlin, Acme. Since [5].'],
  [
    'one device of a place',
    { ...offline, ...incident, count: 1, others: 1, unseen: 1_200 },
    'A is offline',
    'Berlin, Acme. Since [5]. 1 other is offline there. 1,200 more with no data since.',
  ],
  [
    'one after an absence',
    { ...offline, ...one, since: null, missed: true },
    'A is offline',
    'Room 1, Berlin, Acme. It went offline while monitoring was lost.',
  ],
  [
    'several after an absence',
    { ...offline, ...incident, shape: 'several', where: none, count: 3, since: null, missed: true, others: 2 },
    '3 devices went offline while monitoring was lost',
    'Acme. A, B and C. 2 others are offline there.',
  ],
  [
    'the watch list',
    { ...offline, ...one, overrode: { window: 'Patching', place: 'Berlin', down: 1 } },
    'A is offline',
    'Room 1, Berlin, Acme. Since [5]. On the watch list. 1 device of Berlin is down in the maintenance window Patching.',
  ],
  [
    'the watch list without a place',
    { ...offline, ...one, overrode: { window: 'Patching', place: '', down: 0 } },
    'A is offline',
    'Room 1, Berlin, Acme. Since [5]. On the watch list, in the maintenance window Patching.',
  ],
  [
    'flapping',
    { kind: 'flapping', ...incident, where: { kind: 'sites', count: 3 } },
    '12 devices flapping in 3 sites',
    'Acme. A, B, C and 9 more. Since [5].',
  ],
  ['one that flaps', { kind: 'flapping', ...one }, 'A is flapping', 'Room 1, Berlin, Acme. Since [5].'],
  [
    'not seen',
    { kind: 'unseen', was: 'offline', ...incident, where: { kind: 'placeless', lacks: 'site', name: 'Acme' } },
    '12 devices in Acme, without a site were offline when last seen',
    'Acme. A, B, C and 9 more. Since [5] as far as known.',
  ],
  [
    'one that is not seen',
    { kind: 'unseen', was: 'flapping', ...one, since: null },
    'A was flapping when last seen',
    'Room 1, Berlin, Acme.',
  ],
]

const ends: Case[] = [
  [
    'recovered',
    {
      kind: 'recovered',
      ...scope,
      steady: false,
      left: { down: 2, unseen: 1 },
      missed: { count: 3, from: 0, until: 90_000 },
    },
    '12 devices are back in Berlin',
    'Acme. A, B, C and 9 more. 3 of them came back between [0] and [90000], while monitoring was lost. From the same notification: 2 still offline, 1 with no data since.',
  ],
  [
    'one that recovered',
    { kind: 'recovered', ...scope, count: 1, steady: true, ...nothingLeft, missed: { count: 1, from: 1, until: 2 } },
    'A is steady again',
    'Acme. It came back at [2], while monitoring was lost.',
  ],
  [
    'unlisted',
    { kind: 'unlisted', ...scope, count: 2, names: ['A', 'B'] },
    '2 devices are no longer listed in Berlin',
    'Acme. A and B. Whether they are back is not known.',
  ],
  [
    'one that is unlisted',
    { kind: 'unlisted', ...scope, count: 1, names: ['A'] },
    'A is no longer listed',
    'Acme. Whether it is back is not known.',
  ],
]

const headlines: Headline[] = [
  { ...offline, ...incident },
  { kind: 'monitoring-lost', tenants: [{ name: 'Acme', partial: true }], count: 1, all: false, since: 7 },
]
const headlinesText = '12 devices offline in Berlin. Monitoring lost for a part of Acme since [7].'

const digests: Case[] = [
  [
    'monitoring lost everywhere',
    { kind: 'monitoring-lost', tenants: [{ name: 'Acme', partial: false }], count: 2, all: true, since: 7 },
    'Monitoring lost since [7]',
    'No device alerts until monitoring is restored.',
  ],
  [
    'monitoring lost for some',
    {
      kind: 'monitoring-lost',
      tenants: [
        { name: 'Acme', partial: true },
        { name: 'Beta', partial: false },
      ],
      count: 2,
      all: false,
      since: 7,
    },
    'Monitoring lost for 2 tenants since [7]',
    'a part of Acme and Beta. No alerts for these devices until monitoring is restored.',
  ],
  [
    'monitoring restored',
    {
      kind: 'monitoring-restored',
      tenants: ['Acme'],
      count: 1,
      all: 3,
      open: 2,
      beside: 0,
      behind: true,
      headlines,
      total: 3,
    },
    'Monitoring restored for Acme',
    `Meanwhile: 3 incidents, 2 still open. ${headlinesText} 1 more. The sync is not complete yet.`,
  ],
  [
    'nothing found',
    {
      kind: 'monitoring-restored',
      tenants: ['Acme', 'Beta'],
      count: 2,
      all: 0,
      open: 0,
      beside: 0,
      behind: false,
      headlines: [],
      total: 0,
    },
    'Monitoring restored for 2 tenants',
    'Acme and Beta. No device went offline meanwhile.',
  ],
  [
    'absence',
    { kind: 'absence', all: 1, open: 0, headlines, total: 2 },
    'While you were away: 1 incident, which is over',
    headlinesText,
  ],
  [
    'storm',
    { kind: 'storm', offline: 16, flapping: 1, where: { kind: 'sites', count: 5 }, headlines, total: 6 },
    '16 devices offline, 1 device flapping in 5 sites',
    `6 incidents. ${headlinesText} 4 more.`,
  ],
  [
    'pause',
    { kind: 'pause', offline: 2, back: 1, stillOffline: 1, stillFlapping: 0, headlines, total: 2 },
    '2 devices went offline, 1 device came back, 1 device still offline while notifications were paused',
    headlinesText,
  ],
  [
    'an empty pause',
    { kind: 'pause', offline: 0, back: 0, stillOffline: 0, stillFlapping: 0, headlines: [], total: 0 },
    'What happened while notifications were paused',
    '',
  ],
  [
    'maintenance',
    {
      kind: 'maintenance',
      window: 'Patching',
      offline: 4,
      back: 1,
      still: ['A', 'B'],
      stillCount: 2,
      flapping: 0,
      unseen: 1,
      missed: { count: 1, from: 1, until: 2, endedAt: 3 },
    },
    'Patching is over: 2 devices did not come back, 1 device with no data since',
    '4 devices went offline in this maintenance window or after it, 1 came back. It ended at [3], while monitoring was lost: 1 device went offline between [1] and [2]. Still offline: A and B.',
  ],
  ['an old text', { kind: 'text', title: ['Lost since ', 9], body: ['As it was.'] }, 'Lost since [9]', 'As it was.'],
]

describe('a message in words', () => {
  test.each([...incidents, ...ends, ...digests])('%s', (_, of, title, body) => {
    expect([messageTitle(of, time), messageBody(of, time)]).toEqual([title, body])
    expect(searchText(of, time)).toBe(`${title}\n${body}`)
    expect(message.parse(JSON.parse(JSON.stringify(of)))).toEqual(of)
  })

  test('cuts names and keeps their direction to themselves', () => {
    const names = ['x'.repeat(60), 'חדר 4']
    const of: Message = { ...offline, ...incident, count: 2, names, context: ['two\nlines'] }
    expect(messageBody(of, time)).toBe(`two lines. ${'x'.repeat(39)}… and \u2068חדר 4\u2069. Since [5].`)
  })
})

const details: [of: EventDetail, text: string][] = [
  [{ kind: 'none' }, ''],
  [{ kind: 'devices', count: 62 }, '62 devices'],
  [{ kind: 'added', count: 1 }, '+1 device'],
  [{ kind: 'unlisted', count: 2 }, '2 devices no longer listed'],
  [{ kind: 'elsewhere', count: 1 }, '1 device moved to another place'],
  [{ kind: 'otherTenants', count: 3 }, '3 devices of other tenants split off'],
  [{ kind: 'message', message: { ...offline, ...incident } }, '12 devices offline in Berlin'],
  [{ kind: 'kept', window: 'Patching' }, 'suppressed by the maintenance window Patching'],
  [{ kind: 'over', window: 'Patching' }, 'the maintenance window Patching is over'],
  [{ kind: 'place', where: berlin }, 'to Berlin'],
  [{ kind: 'place', where: { kind: 'place', name: 'North', of: 'account' } }, 'to account North'],
  [{ kind: 'place', where: { kind: 'placeless', lacks: 'account', name: 'Acme' } }, 'to Acme, without an account'],
  [{ kind: 'place', where: none }, ''],
  [{ kind: 'place', where: { kind: 'placeless', lacks: 'region', name: null } }, 'to tenants without a region'],
  [
    { kind: 'partOf', where: { kind: 'placeless', lacks: 'room', name: null } },
    'became a part of a tenant, without a room',
  ],
  [{ kind: 'partOf', where: none }, 'became a part of several devices'],
  [{ kind: 'several' }, 'to several devices without a common site'],
  [{ kind: 'reopened' }, 'it recovered and went down again'],
  [{ kind: 'grown' }, 'it has grown beyond what was known'],
  [{ kind: 'until', until: null }, 'until it recovers'],
  [{ kind: 'until', until: 8 }, 'until [8]'],
  [{ kind: 'reason', reason: 'Power works' }, 'Power works'],
  [{ kind: 'text', text: ['until ', 8] }, 'until [8]'],
]

test.each(details)('an entry of the history (%#)', (of, text) => {
  expect(detailText(of, time)).toBe(text)
  expect(eventDetail.parse(of)).toEqual(of)
})
