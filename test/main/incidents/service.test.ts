import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createNotifier } from '../../../src-main/notifications/notify.ts'
import { openIncidentService } from '../../../src-main/incidents/service/service.ts'
import { openPolicies } from '../../../src-main/policies/policies.ts'
import { above } from '../../../src-shared/model/tree.ts'
import type { MaintenanceWindow } from '../../../src-shared/maintenance/maintenance.ts'
import { detailText } from '../../../src-shared/text/messages.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute

/** A world whose maintenance windows, zones and thresholds come from the journal, behind an incident service. */
async function ready(over?: Parameters<typeof openWorld>[2]) {
  const it = await openWorld(leftovers, usual, over)
  const calls = () => it.calls()
  type Calls = ReturnType<World['calls']>
  const data = {
    closedIncidents: async (input: Parameters<Calls['closedIncidents']>[0]) => calls().closedIncidents(input),
    storedIncident: async (input: { id: string }) => calls().storedIncident(input),
    incidentMembers: async (input: Parameters<Calls['incidentMembers']>[0]) => calls().incidentMembers(input),
    recurrence: async (input: Parameters<Calls['recurrence']>[0]) => calls().recurrence(input),
    savePolicies: async (input: Parameters<Calls['savePolicies']>[0]) => calls().savePolicies(input),
    action: async (input: { id: number }) => calls().action(input),
    markUndone: async (input: { id: number }) => calls().markUndone(input),
    policies: async () => calls().policies(undefined),
    policyPlaces: async (input: { nodes: string[] }) => calls().policyPlaces(input),
    locations: async (input: Parameters<Calls['locations']>[0]) => calls().locations(input),
  }
  const follow = (now: typeof policies) => Object.assign(it.policies, now.state())
  const policies = await openPolicies({
    data,
    clock: it.clock,
    onChange: () => {
      follow(policies)
      it.alerts().recheck()
    },
  })
  const service = openIncidentService({
    explain: createNotifier('electron').explain,
    data,
    clock: it.clock,
    runner: it.alerts(),
    policies,
    connections: () => [],
  })
  const list = (state: 'open' | 'acknowledged' | 'closed', text = '') =>
    service.list({ state, text, offset: 0, limit: 50 })
  return { ...it, desk: service, policyService: policies, list, data }
}

const windowOver = (node: string, more: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  id: 'w',
  name: 'Patching',
  node,
  nodeName: 'Berlin',
  when: { kind: 'weekly', days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', ends: 'at', minutes: 23 * 60 },
  zone: 'UTC',
  createdAt: 0,
  until: null,
  ...more,
})

describe('the lists', () => {
  test('acknowledged incidents have their own list, and closed ones are found by text', async () => {
    const { drop, back, ids, clock, list, desk: service } = await ready()
    await drop(...ids('berlin'), 'rome-a-1', 'york-a-1')
    await clock.advance(2 * minute)
    expect((await list('open')).rows.map((one) => [titleOf(one), one.severity])).toEqual([
      ['12 devices offline in Berlin', 'critical'],
      ['Studio rome-a-1 is offline', 'minor'],
      ['Studio york-a-1 is offline', 'minor'],
    ])
    const [berlin] = (await list('open', 'BERLIN')).rows
    await service.mark([berlin?.id ?? ''], { acknowledged: { at: clock.now(), reason: 'Power cut' } })
    expect(
      (await list('acknowledged')).rows.map(({ suppressed, acknowledged }) => [suppressed?.why, acknowledged?.reason]),
    ).toEqual([['acknowledged', 'Power cut']])
    await back(...ids('berlin'))
    await clock.advance(5 * minute)
    const { rows, counts } = await list('closed', 'berlin')
    expect([rows.length, counts]).toEqual([1, { open: 2, acknowledged: 0, closed: 1 }])
    expect(service.summary()).toMatchObject({
      open: { critical: 0, major: 0, minor: 2 },
      acknowledged: 0,
      suppressed: 0,
      monitoringLost: 0,
    })
  })

  test('a split incident shows its peak while it is open and when it is closed', async () => {
    const { drop, back, ids, clock, desk: service, list } = await ready()
    await drop(...ids('berlin'))
    await clock.advance(2 * minute)
    await back(...ids('berlin').filter((id) => id !== 'berlin-c-4'))
    await clock.advance(5 * minute)
    const id = (await list('open')).rows[0]?.id ?? ''
    const left = (await service.show(id)).shown
    expect([left && titleOf(left.incident), left?.incident.devices.peak, left?.why[0]]).toEqual([
      'Studio berlin-c-4 is offline',
      12,
      { kind: 'larger', peak: 12, where: { kind: 'place', name: 'Berlin' } },
    ])
    await back('berlin-c-4')
    await clock.advance(30 * 1000)
    await clock.advance(5 * minute)
    const closed = (await service.show(id)).shown?.incident
    expect([titleOf((await list('closed')).rows[0]), titleOf(closed), closed]).toMatchObject([
      '12 devices offline in Berlin',
      '12 devices offline in Berlin',
      { recurrence: 1, devices: { down: 0, peak: 12, total: 12 } },
    ])
  })

  test('devices without a common site have no count of recurrence', async () => {
    const { drop, clock, list } = await ready()
    await drop('rome-a-1', 'berlin-a-1', 'oslo-a-1', 'paris-a-1')
    await clock.advance(2 * minute)
    expect((await list('open')).rows.map(({ shape, recurrence }) => [shape, recurrence])).toEqual([['several', null]])
  })

  test('recurrence counts how often the same place was down in 30 days', async () => {
    const { drop, back, ids, clock, list } = await ready()
    for (let round = 0; round < 3; round += 1) {
      await drop(...ids('berlin'))
      await clock.advance(2 * hour)
      await back(...ids('berlin'))
      await clock.advance(2 * hour)
    }
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    expect((await list('open')).rows.map(({ recurrence }) => recurrence)).toEqual([4])
  })
})

type Delta = Parameters<ReturnType<World['calls']>['saveAlerts']>[0]

/** Stores an entry of an incident's history. */
function note(calls: ReturnType<World['calls']>, event: Delta['events'][number]): void {
  calls.saveAlerts({
    taken: [],
    drops: { put: [], gone: [] },
    notifications: { put: [], gone: [] },
    monitoringLosses: { put: [], gone: [] },
    incidents: [],
    members: [],
    events: [event],
    unseen: [],
  })
}

test("snoozed incidents count apart, and their history has the snooze's end as an instant", async () => {
  const { drop, clock, list, desk: service, calls } = await ready()
  await drop('rome-a-1', 'york-a-1')
  await clock.advance(2 * minute)
  const [one, other] = (await list('open')).rows.map(({ id }) => id)
  const until = clock.now() + 60 * minute
  await service.mark([one ?? ''], { snoozed: { at: clock.now(), until } })
  await service.mark([other ?? ''], { acknowledged: { at: clock.now(), reason: 'Known' } })
  expect(service.summary()).toMatchObject({ acknowledged: 1, snoozed: 1 })
  const ended = async () =>
    (await service.show(one ?? '')).shown?.history
      .filter(({ what }) => what === 'snoozed')
      .map(({ detail }) => detailText(detail, (at) => `<${at - until}>`))
  expect(await ended()).toEqual(['until <0>'])
  const detail = { kind: 'until' as const, until: until + 1 }
  note(calls(), { incident: one ?? '', at: until, what: 'snoozed', detail })
  expect(await ended()).toEqual(['until <0>', 'until <1>'])
})

test('the history shows an unlisted device as such, and no entry of a kind that it does not know', async () => {
  const { drop, remove, clock, list, desk: service, calls } = await ready()
  await drop('rome-a-1', 'rome-a-2', 'rome-a-3')
  await clock.advance(2 * minute)
  const [id = ''] = (await list('open')).rows.map((one) => one.id)
  await remove('rome-a-1')
  await clock.advance(2 * minute)
  note(calls(), { incident: id, at: clock.now(), what: 'rebooted', detail: { kind: 'none' } })
  const history = (await service.show(id)).shown?.history ?? []
  expect(history.map(({ what, detail }) => [what, detail])).toContainEqual(['unlisted', { kind: 'devices', count: 1 }])
  expect(history.filter(({ what }) => ['grew', 'rebooted'].includes(what))).toEqual([])
})

describe('undo', () => {
  test('restores the changed incidents that still exist', async () => {
    const { drop, clock, list, desk: service } = await ready()
    await drop('rome-a-1')
    await clock.advance(2 * minute)
    const id = (await list('open')).rows[0]?.id ?? ''
    const acknowledged = await service.mark([id], { acknowledged: { at: clock.now(), reason: 'Known' } })
    await service.mark([id], { snoozed: { at: clock.now(), until: null } })
    await service.undo(acknowledged.undo)
    expect((await list('acknowledged')).rows[0]).toMatchObject({ acknowledged: null, snoozed: { until: null } })
    await expect(service.undo(acknowledged.undo)).rejects.toThrow('nothing to undo')
  })

  test('is rejected where the incident has become another one since', async () => {
    const { drop, ids, clock, list, desk: service } = await ready()
    await drop('berlin-a-1')
    await clock.advance(5 * minute)
    const id = (await list('open')).rows[0]?.id ?? ''
    await service.mark([id], { acknowledged: { at: clock.now(), reason: 'Known' } })
    const released = await service.mark([id], { acknowledged: null, snoozed: null })
    await drop(...ids('berlin'))
    await clock.advance(5 * minute)
    await expect(service.undo(released.undo)).rejects.toThrow('Nothing to undo: the incidents are over, have grown')
    expect((await list('open')).rows.map((one) => [one.acknowledged, titleOf(one)])).toEqual([
      [null, '12 devices offline in Berlin'],
    ])
  })

  test('also restores an incident that became smaller since, and its split-off parts', async () => {
    const { drop, back, ids, clock, list, desk: service } = await ready()
    await drop(...ids('rome'))
    await clock.advance(2 * minute)
    const id = (await list('open')).rows[0]?.id ?? ''
    const { undo } = await service.mark([id], { acknowledged: { at: clock.now(), reason: 'Known' } })
    await back(...ids('rome').filter((one) => !['rome-a-1', 'rome-b-1'].includes(one)))
    await clock.advance(5 * minute)
    expect((await list('open')).rows).toEqual([])
    await service.undo(undo)
    expect([
      (await list('open')).rows.reduce((sum, { devices }) => sum + devices.down, 0),
      (await list('acknowledged')).rows,
    ]).toEqual([2, []])
  })

  test('a closed incident cannot be acknowledged', async () => {
    const { drop, back, clock, list, desk: service } = await ready()
    await drop('rome-a-1')
    await clock.advance(2 * minute)
    const id = (await list('open')).rows[0]?.id ?? ''
    await back('rome-a-1')
    await clock.advance(5 * minute)
    await expect(service.mark([id], { snoozed: null })).rejects.toThrow('This incident is closed.')
  })
})

describe('policies', () => {
  test('a maintenance window suppresses the devices below its node, and undo restores it', async () => {
    const { drop, clock, policyService, desk: service, list, titles } = await ready()
    await policyService.saveMaintenance(windowOver('s:test/acme/berlin'))
    await drop('berlin-a-1', 'rome-a-1')
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
    expect((await list('open')).rows.find((one) => titleOf(one).includes('berlin'))?.suppressed).toMatchObject({
      why: 'maintenance',
      name: 'Patching',
    })
    const act = await policyService.removeMaintenance('w')
    await clock.advance(minute)
    expect(titles()).toEqual(['Patching is over: 1 device did not come back'])
    await service.undo(act)
    expect(policyService.policies().windows.map(({ window }) => window.id)).toEqual(['w'])
  })

  test('a maintenance window moved while it is active becomes another one', async () => {
    const { clock, policyService } = await ready()
    const now = clock.now()
    const over = (from: number) =>
      policyService.saveMaintenance(
        windowOver('s:test/acme/berlin', { when: { kind: 'once', from, until: now + hour } }),
      )
    const at = () => policyService.state().maintenanceAt(['s:test/acme/berlin'], now)
    await over(now - minute)
    const former = at()?.id ?? ''
    expect(policyService.state().maintenanceUntil(former, now)).toBe(now + hour)
    await over(now - 2 * minute)
    expect(at()?.id).not.toBe(former)
    expect(policyService.state().maintenanceUntil(former, now)).toBeNull()
  })

  test('each occurrence of a maintenance window has its own report at its end', async () => {
    const { drop, back, clock, policyService, titles } = await ready()
    await policyService.saveMaintenance(
      windowOver('s:test/acme/berlin', {
        when: { kind: 'weekly', days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', ends: 'at', minutes: 24 * 60 - 1 },
      }),
    )
    const ends: string[] = []
    for (let night = 0; night < 2; night += 1) {
      await clock.advance(2 * hour)
      await drop('berlin-a-1')
      await clock.advance(24 * hour)
      ends.push(...titles())
      await back('berlin-a-1')
      await clock.advance(hour)
      titles()
    }
    expect(ends).toHaveLength(2)
  })

  test('maintenance stored without the kind of its end stays as shown, also after undo', async () => {
    const { policyService, desk: service, data, clock } = await ready()
    const { ends, ...when } = { kind: 'weekly', days: [5], from: '23:00', ends: 'at', minutes: 360 }
    await data.savePolicies({
      policies: [{ kind: 'maintenance', id: 'w', value: { ...windowOver('all'), when } }],
      action: { at: clock.now(), kind: 'policies', before: [] },
    })
    await policyService.reload()
    const act = await policyService.removeMaintenance('w')
    expect(policyService.policies().windows).toEqual([])
    await service.undo(act)
    expect(policyService.policies().windows.map(({ window }) => window.when)).toEqual([{ ...when, ends }])
  })

  test('of two maintenance windows the one that ends last suppresses and reports', async () => {
    const { drop, clock, policyService, titles } = await ready()
    const now = clock.now()
    await policyService.saveMaintenance(
      windowOver('m:test/acme/berlin/a', {
        id: 'room',
        name: 'Room',
        when: { kind: 'once', from: now - hour, until: now + hour },
      }),
    )
    await policyService.saveMaintenance(
      windowOver('s:test/acme/berlin', {
        id: 'site',
        name: 'Site',
        when: { kind: 'once', from: now - hour, until: now + 6 * hour },
      }),
    )
    await drop('berlin-a-1', 'berlin-b-1')
    await clock.advance(3 * hour)
    expect(titles()).toEqual([])
    await clock.advance(4 * hour)
    expect(titles()).toEqual(['Site is over: 2 devices did not come back'])
  })

  test('the zone of a tenant applies to maintenance below it, and an unknown zone is rejected', async () => {
    const { policyService } = await ready()
    await policyService.setZone('t:test/acme', 'Acme', 'Asia/Kolkata')
    await policyService.saveMaintenance(windowOver('m:test/acme/berlin/a', { zone: null }))
    expect(policyService.policies().windows[0]).toMatchObject({ zone: 'Asia/Kolkata', inheritedFrom: 't:test/acme' })
    await expect(policyService.setZone('t:test/acme', 'Acme', 'Mars/Olympus')).rejects.toThrow('not known')
    expect(above('a:test/acme/north')).toEqual(['a:test/acme/north', 't:test/acme', 'all'])
    expect(above('m:test/acme/berlin/a')).toEqual(['m:test/acme/berlin/a', 's:test/acme/berlin', 't:test/acme', 'all'])
  })

  test('another zone keeps the times of day, and the instants of active maintenance', async () => {
    const { policyService, desk: service, clock } = await ready()
    const now = clock.now()
    await policyService.setZone('t:test/acme', 'Acme', 'Asia/Shanghai')
    const once = (id: string, from: number, more = {}) =>
      policyService.saveMaintenance(
        windowOver('s:test/acme/berlin', {
          id,
          zone: null,
          when: { kind: 'once', from, until: from + 2 * hour },
          ...more,
        }),
      )
    await once('holds', now - hour)
    await once('comes', now + 8 * hour)
    await once('own', now + 8 * hour, { zone: 'UTC' })
    await once('else', now + 8 * hour, { node: 's:test/beta/york' })
    await policyService.saveMaintenance(
      windowOver('s:test/acme/rome', { id: 'weekly', zone: null, until: Date.UTC(2026, 11, 31, 16) - 1 }),
    )
    const times = () =>
      policyService
        .policies()
        .windows.map(({ window: { id, when, until } }) => [id, when.kind === 'once' ? when.from - now : until])
    const before = times()
    const act = await policyService.setZone('t:test/acme', 'Acme', 'Europe/Paris')
    expect(Object.fromEntries(times())).toEqual({
      holds: -hour,
      comes: 15 * hour,
      own: 8 * hour,
      else: 8 * hour,
      weekly: Date.UTC(2026, 11, 31, 23) - 1,
    })
    await service.undo(act)
    expect(times()).toEqual(before)
    expect(policyService.policies().zones).toMatchObject([{ zone: 'Asia/Shanghai' }])
  })

  test('thresholds of a node are stored, and inherited again when they are empty', async () => {
    const { policyService, data, clock } = await ready()
    await policyService.setThresholds('s:test/acme/rome', 'Rome', { holdOffSeconds: 10 })
    await policyService.setThresholds('t:test/acme', 'Acme', {})
    const again = await openPolicies({ data, clock, onChange: () => {} })
    expect(again.policies().thresholds).toEqual([
      { node: 's:test/acme/rome', nodeName: 'Rome', thresholds: { holdOffSeconds: 10 } },
    ])
    expect([...again.state().nodes]).toEqual([['s:test/acme/rome', { holdOffSeconds: 10 }]])
    await again.setThresholds('s:test/acme/rome', 'Rome', {})
    expect(again.policies().thresholds).toEqual([])
  })
})
