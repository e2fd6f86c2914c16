import { afterEach, expect, test } from 'vitest'
import { updated } from '../../../src-main/incidents/engine/incident.ts'
import { suppressionOf } from '../../../src-main/incidents/suppression.ts'
import { monitoringHealth, explainIncident } from '../../../src-main/notifications/explain.ts'
import { utcTime } from '../../../src-main/reports/stamps.ts'
import { explanation, type Explanation } from '../../../src-shared/model/explanation.ts'
import { explanationText } from '../../../src-shared/text/explanation.ts'
import type { Check, ConnectionState } from '../../../src-shared/model/connection.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, openWorld, usual, type World } from '../incidents/world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** A fact as the contract carries it, in words. */
const textOf = (one: Explanation): string => explanationText(explanation.parse(one), (at) => utcTime(at).slice(11, 16))

/** The explanations of all open incidents. */
function why({ alerts, clock }: World): string[][] {
  const state = alerts().state()
  return [...state.incidents.values()]
    .filter(({ closedAt }) => closedAt === null)
    .map((incident) =>
      explainIncident(
        incident,
        suppressionOf(state, alerts().rules(), incident, clock.now()),
        alerts().rules(),
        'electron',
      ).map(textOf),
    )
}

test('an outage of a place names its thresholds, its severity and its notification', async () => {
  const it = await openWorld(leftovers, usual)
  await it.drop(...it.ids('berlin').slice(1))
  await it.clock.advance(2 * minute)
  expect(why(it)).toEqual([
    [
      'Peak: 11 of 12 devices known in Berlin down, 92\u00A0%. The threshold of a place is 3 devices and 60\u00A0%. The alert delay is 90 s.',
      'It is critical because half of a site or more is down.',
      'Notified at 03:01 in app (bell and tray); desktop notification not confirmed.',
      'Alerted after 90 s delay at the threshold of 3 devices and 60\u00A0%, by the settings of that time.',
    ],
  ])
})

test('severity has its own reason for a room, a part of a site, many devices, and flapping', async () => {
  const reason = (it: World) =>
    why(it)
      .flat()
      .filter((sentence) => sentence.startsWith('It is '))
  const room = await openWorld(leftovers, usual)
  await room.drop('london-a-1', 'london-a-2', 'london-a-3')
  await room.clock.advance(2 * minute)
  expect(reason(room)).toEqual(['It is major because a room is down.'])
  const part = await openWorld(leftovers, usual)
  part.policies.nodes = new Map([['s:test/acme/rome', { siteDownPercent: 20 }]])
  await part.drop('rome-a-1', 'rome-a-2', 'rome-a-3', 'rome-b-1', 'rome-b-2', 'rome-b-3')
  await part.clock.advance(2 * minute)
  expect(reason(part)).toEqual(['It is major because less than half of a site is down.'])
  const many = await openWorld(leftovers, usual)
  await many.drop(
    'berlin-a-1',
    'berlin-b-1',
    'paris-a-1',
    'paris-b-1',
    'rome-a-1',
    'rome-a-2',
    'rome-b-1',
    'rome-b-2',
    'oslo-a-1',
    'paris-a-2',
  )
  await many.clock.advance(2 * minute)
  expect(reason(many)).toEqual(['It is major because ten devices or more are down in it.'])
  const flapping = await openWorld(leftovers, usual)
  for (let n = 0; n < 6; n += 1) await flapping[n % 2 === 0 ? 'drop' : 'back']('london-a-1', 'london-a-2', 'london-a-3')
  await flapping.clock.advance(minute)
  expect(reason(flapping)).toEqual(['It is major because a whole room is flapping.'])
})

test("a watched device, with its place's hold-off, that was acknowledged", async () => {
  const it = await openWorld(leftovers, usual, { watched: [keyOf('acme', 'rome-a-1')] })
  it.policies.nodes = new Map([['s:test/acme/rome', { holdOffSeconds: 300 }]])
  await it.drop('rome-a-1')
  await it.clock.advance(6 * minute)
  await it
    .alerts()
    .mark([...it.alerts().state().incidents.keys()].map((id) => ({ id, acknowledged: { at: 1, reason: 'Known' } })))
  expect(why(it)).toEqual([
    [
      'The alert delay is 5 min.',
      'It is critical because something on the watch list is in it.',
      'Notified at 03:05 in app (bell and tray); desktop notification not confirmed.',
      'Alerted after 5 min delay, by the thresholds of Rome at that time. It was on the watch list.',
      'Acknowledged. While it stays in its place, it notifies only on recovery.',
    ],
  ])
})

test('a pause, a setting and a maintenance window are given as the reason of a suppression', async () => {
  const paused = await openWorld(leftovers, usual)
  await paused.alerts().pause(60)
  await paused.drop('rome-a-1')
  await paused.clock.advance(2 * minute)
  const off = await openWorld(leftovers, usual, { notifyOffline: false, holdOffSeconds: 0 })
  await off.drop('rome-a-1')
  await off.clock.advance(minute)
  const quiet = await openWorld(leftovers, usual)
  quiet.policies.maintenanceAt = () => ({ id: 'q', name: 'Patching', node: 'all', until: Date.parse('2027-01-01') })
  quiet.policies.maintenanceUntil = () => Date.parse('2027-01-01')
  await quiet.drop('rome-a-1')
  await quiet.clock.advance(2 * minute)
  expect([paused, off, quiet].map((it) => why(it)[0]?.at(-1))).toEqual([
    'Notifications are paused. The summary after the pause counts it.',
    'Notifications about devices were switched off when it began.',
    'It began in the maintenance window Patching. The report at its end counts it.',
  ])
  expect(why(off)[0]?.[0]).toBe('There is no alert delay here.')
})

test('a split incident names its former place, and its parts name the incident they were part of', async () => {
  const rooms = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']
  const it = await openWorld(leftovers, {
    acme: { rome: { a: 4, ...Object.fromEntries(rooms.map((room) => [room, 4])) } },
  })
  await it.drop(...it.ids('rome'))
  await it.clock.advance(2 * minute)
  const left = new Set(['rome-a-1', 'rome-a-2', 'rome-a-3', ...rooms.map((room) => `rome-${room}-1`)])
  await it.back(...it.ids('rome').filter((id) => !left.has(id)))
  await it.clock.advance(2 * minute)
  const [rest, room] = why(it)
  expect(rest?.slice(0, 2)).toEqual([
    'It was larger: peak 44 devices down in Rome.',
    'Peak since: 10 devices down at a time, without a common site. The alert delay is 90 s.',
  ])
  expect(rest?.at(-1)).toBe(
    'Alerted after 90 s delay at the threshold of 3 devices and 60\u00A0%, by the settings of that time.',
  )
  expect(room).toContain('It was a part of what was down in Rome, and was notified with it.')
})

/** The sentences about its notification. */
const deliveryText = (it: World): string[] =>
  (why(it)[0] ?? []).filter((sentence) => /^(?:Notified|Alerted)/u.test(sentence))
const nowhere = ' in app (bell and tray); desktop notification not confirmed.'

test('a notification is explained by the thresholds of its time, also after a restart', async () => {
  const it = await openWorld(leftovers, usual)
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  const [told] = it.sent
  if (told === undefined) throw new Error('nothing was told')
  const because = 'Alerted after 90 s delay, by the settings of that time.'
  it.settings.holdOffSeconds = 600
  it.policies.nodes = new Map([['s:test/acme/rome', { holdOffSeconds: 300 }]])
  it.alerts().recheck()
  await it.clock.advance(minute)
  expect(deliveryText(it)).toEqual([`Notified at 03:01${nowhere}`, because])
  expect(why(it)[0]?.[0]).toBe('The alert delay is 90 s.')
  await it.alerts().confirmDelivery(told.id, told.at, true)
  await it.restart()
  await it.see()
  expect(deliveryText(it)).toEqual(['Notified at 03:01 in app (bell and tray) and on the desktop.', because])
  await it.alerts().confirmDelivery(told.id, told.at - 1, false)
  expect(deliveryText(it)[0]).toContain(' and on the desktop')
  await it.alerts().confirmDelivery(told.id, told.at, false)
  expect(deliveryText(it)[0]).toBe(
    'Notified at 03:01 in app (bell and tray); the system did not show the desktop notification.',
  )
})

test('the explanation names a storm, a pause, a snooze or a maintenance report', async () => {
  const six = [1, 2, 3, 4, 5, 6]
  const storm = await openWorld(
    leftovers,
    Object.fromEntries(six.map((n) => [`tenant${n}`, { [`few${n}`]: { a: 4 }, [`many${n}`]: { a: 9 } }])),
  )
  await storm.drop(...six.flatMap((n) => [1, 2, 3, 4].map((device) => `few${n}-a-${device}`)))
  await storm.clock.advance(2 * minute)
  const paused = await openWorld(leftovers, usual)
  await paused.alerts().pause(5)
  await paused.drop('rome-a-1', ...paused.ids('york'))
  await paused.clock.advance(6 * minute)
  const again = await openWorld(leftovers, usual)
  await again.drop('rome-a-1')
  await again.clock.advance(2 * minute)
  await again.alerts().mark(
    [...again.alerts().state().incidents.keys()].map((id) => ({
      id,
      snoozed: { at: again.clock.now(), until: again.clock.now() + minute },
    })),
  )
  await again.clock.advance(3 * minute)
  const quiet = await openWorld(leftovers, usual)
  const until = quiet.clock.now() + 5 * minute
  quiet.policies.maintenanceAt = (_path, now) =>
    now < until ? { id: 'q', name: 'Patching', node: 'all', until } : null
  quiet.policies.maintenanceUntil = (_id, now) => (now < until ? until : null)
  await quiet.drop('rome-a-1')
  await quiet.clock.advance(8 * minute)
  expect([paused, again, quiet].map((it) => deliveryText(it)[0])).toEqual([
    `Notified at 03:05 in the summary after the pause,${nowhere}`,
    `Notified at 03:03 again after its snooze,${nowhere}`,
    `Notified at 03:05 in the report of a maintenance window,${nowhere}`,
  ])
  expect(why(storm).map((sentences) => sentences.at(-2))).toEqual(
    six.map(() => `Notified at 03:01 together with others that began then,${nowhere}`),
  )
})

test('a watched device says that it overrode a maintenance window', async () => {
  const it = await openWorld(leftovers, usual, { watched: [keyOf('acme', 'rome-a-1')] })
  it.policies.maintenanceAt = () => ({ id: 'q', name: 'Patching', node: 'all', until: Infinity })
  it.policies.maintenanceUntil = () => Infinity
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  expect(deliveryText(it).at(-1)).toBe(
    'Alerted after 90 s delay, by the settings of that time. It was on the watch list, which overrides the maintenance window Patching.',
  )
})

test('flapping is explained by its threshold, an incident without a reason by its time', async () => {
  const it = await openWorld(leftovers, usual)
  for (const [index, end] of [5, 4, 3, 2, 1].entries()) {
    await (index % 2 === 0 ? it.drop('rome-a-1') : it.back('rome-a-1'))
    await it.clock.advance(end * 1_000)
  }
  await it.clock.advance(2 * minute)
  const [incident] = [...it.alerts().state().incidents.values()]
  if (incident === undefined) throw new Error('none is open')
  const explanation = (of: typeof incident, shell: 'electron' | 'web') =>
    explainIncident(of, null, it.alerts().rules(), shell).slice(-2).map(textOf)
  expect(explanation(incident, 'web')).toEqual([
    expect.stringMatching(/ in app \(bell and window title\); /u),
    'Alerted after 5 changes in 30 min, by the settings of that time.',
  ])
  expect(explanation(updated(incident, 'delivery', { reason: null }), 'web').at(-1)).toBe('Notified at 03:00.')
  expect(explanation(updated(incident, 'delivery', { reason: null, notifiedAt: null }), 'web').at(-1)).toBe(
    'Not notified.',
  )
})

test('whether monitoring is healthy', () => {
  const check = (name: Check['check'], state: Check['state'], detail = ''): Check => ({
    check: name,
    state,
    since: null,
    detail,
  })
  const connection = (name: string, ...checks: Check[]) => ({ name, checks }) as ConnectionState
  const health = (...connections: ConnectionState[]) => textOf(monitoringHealth(connections))
  expect(health()).toBe('No connection lists it any more.')
  expect(health(connection('EU', check('link', 'ok')))).toBe(
    'Monitoring healthy: live connection, access token, heartbeat, clock and point balance.',
  )
  expect(
    health(
      connection('EU', check('link', 'ok'), check('balance', 'doubt', 'No points are left.')),
      connection('US', check('token', 'doubt', 'x'), check('clock', 'doubt', 'x')),
    ),
  ).toBe(
    'Monitoring in doubt: point balance of EU. No points are left. Also in doubt: access token of US and clock of US.',
  )
})

test('spares in an incident are explained, all of them or some', async () => {
  const it = await openWorld(leftovers, usual)
  const note = { at: 1, text: '', contact: '', tags: ['spare'] }
  it.calls().saveNote({ node: `d:${keyOf('acme', 'rome-a-1')}`, ...note })
  it.calls().saveNote({ node: `d:${keyOf('acme', 'berlin-a-1')}`, ...note })
  await it.drop('rome-a-1', ...it.ids('berlin'))
  await it.clock.advance(2 * minute)
  const all = why(it).flat()
  expect(all).toContain('It is minor because all devices that are down in it are spares, by their tags.')
  expect(all).toContain('1 device of it is a spare by its tag and does not count for its severity.')
  await it.drop('york-a-1')
  await it.clock.advance(2 * minute)
  expect(why(it).at(-1)?.join(' ')).not.toContain('spare')
})
