import { bodyOf, entryOf, titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openPolicies } from '../../../src-main/policies/policies.ts'
import { explainIncident } from '../../../src-main/notifications/explain.ts'
import { reportLimits } from '../../../src-main/incidents/engine/maintenance/report.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, open, openWorld, stored, usual } from './world.ts'

/** Tests of the report at the end of a maintenance window, and of its later use. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute
const berlin = 's:test/acme/berlin'

/** A window over Berlin from now on for so many minutes, out of the journal. */
async function quiet(minutes: number, over?: Parameters<typeof openWorld>[2]) {
  const it = await openWorld(leftovers, usual, over)
  const data = {
    policies: async () => it.calls().policies(undefined),
    policyPlaces: async (input: { nodes: string[] }) => it.calls().policyPlaces(input),
    savePolicies: async (input: Parameters<ReturnType<typeof it.calls>['savePolicies']>[0]) =>
      it.calls().savePolicies(input),
  }
  const policies = await openPolicies({
    data,
    clock: it.clock,
    onChange: () => {
      Object.assign(it.policies, policies.state())
      it.alerts().recheck()
    },
  })
  const from = it.clock.now()
  const save = () =>
    policies.saveMaintenance({
      id: 'w',
      name: 'Works',
      node: berlin,
      nodeName: 'Berlin',
      when: { kind: 'once', from, until: from + minutes * minute },
      zone: null,
      createdAt: from,
      until: null,
    })
  await save()
  return { it, from, laid: policies }
}

const reports = (lines: readonly string[]) => lines.filter((line) => line.startsWith('Works'))

describe('a maintenance window whose end nobody saw', () => {
  test('is reported when monitoring is restored, with the devices that dropped meanwhile', async () => {
    const { it } = await quiet(7)
    await it.clock.advance(4 * minute)
    await it.blind()
    it.setUnreported(false, ...it.ids('berlin'), 'rome-a-1')
    await it.clock.advance(4 * minute)
    it.lines()
    await it.see()
    await it.clock.advance(5 * minute)
    const lines = it.lines()
    expect(reports(lines)).toEqual([
      'Works is over: 12 devices did not come back | 12 devices went offline in this maintenance window or after it, 0 came back. It ended at 03:07 UTC, while monitoring was lost: 12 devices went offline between 03:04 UTC and 03:08 UTC. Still offline: Studio berlin-a-1, Studio berlin-a-2, Studio berlin-a-3 and 9 more.',
    ])
    expect(lines.join('\n')).toContain(
      'Meanwhile: 2 incidents, still open. 12 devices offline in Berlin. Studio rome-a-1 is offline.',
    )
    expect(it.alerts().state().maintenanceRuns.size).toBe(0)
  })

  test('counts a drop of the lost time as in maintenance or after it', async () => {
    const { it } = await quiet(7)
    await it.drop('berlin-a-1', 'berlin-a-2')
    await it.clock.advance(4 * minute)
    await it.blind()
    it.setUnreported(false, 'berlin-b-1')
    it.setUnreported(true, 'berlin-a-1')
    await it.clock.advance(4 * minute)
    await it.see()
    await it.clock.advance(15 * minute)
    expect(reports(it.lines()).map((line) => line.split(' | ')[0])).toEqual([
      'Works is over: 2 devices did not come back',
    ])
    expect(
      it
        .alerts()
        .state()
        .maintenanceReports.map((report) => bodyOf(report).split('. ')[0]),
    ).toEqual(['3 devices went offline in this maintenance window or after it, 1 came back'])
  })

  test('has no report when nothing dropped, when all was seen, or when it was over before', async () => {
    const { it } = await quiet(3)
    await it.clock.advance(4 * minute)
    await it.blind()
    it.setUnreported(false, 'berlin-a-1')
    await it.clock.advance(2 * minute)
    await it.see()
    await it.clock.advance(5 * minute)
    await it.drop('berlin-a-2')
    await it.clock.advance(5 * minute)
    expect(reports(it.lines())).toEqual([])
  })

  test('a watched device is notified by itself, and not counted', async () => {
    const { it } = await quiet(7, { watched: [berlin] })
    await it.clock.advance(4 * minute)
    await it.blind()
    it.setUnreported(false, 'berlin-a-1')
    await it.clock.advance(4 * minute)
    await it.see()
    await it.clock.advance(5 * minute)
    expect(reports(it.lines())).toEqual([])
  })

  test('a restart before the report loses nothing of it', async () => {
    const { it } = await quiet(7)
    await it.clock.advance(4 * minute)
    await it.blind()
    it.setUnreported(false, ...it.ids('berlin'))
    await it.clock.advance(4 * minute)
    await it.see()
    await it.clock.advance(1_000)
    await it.crash()
    await it.see()
    await it.clock.advance(5 * minute)
    expect(reports(it.lines()).map((line) => line.split(' | ')[0])).toEqual([
      'Works is over: 12 devices did not come back',
    ])
  })
})

describe('after a maintenance window', () => {
  test('its report is kept, over a restart, for as long as a handover may ask', async () => {
    const { it, from } = await quiet(60)
    await it.drop('berlin-a-1')
    await it.clock.advance(hour + minute)
    const reports = () => it.alerts().state().maintenanceReports
    const report = { id: JSON.stringify(['w', from, berlin]), name: 'Works' }
    expect(reports()).toMatchObject([report])
    expect(reports().map(titleOf)).toEqual(['Works is over: 1 device did not come back'])
    await it.crash()
    expect(reports()).toMatchObject([report])
    expect(reports().map(titleOf)).toEqual(['Works is over: 1 device did not come back'])
    expect(reportLimits.ms).toBe(31 * 24 * hour)
  })

  test('a suppressed incident says so in its history and in its explanation', async () => {
    const { it } = await quiet(60)
    await it.drop('berlin-a-1')
    await it.clock.advance(hour + 2 * minute)
    const [incident] = open(it)
    expect(incident?.delivery.suppressedBy).toBe('Works')
    expect(stored(it, incident?.id ?? '')?.events.map((one) => entryOf(one).join(': '))).toEqual(
      expect.arrayContaining([
        'maintenance: suppressed by the maintenance window Works',
        'maintenance: the maintenance window Works is over',
      ]),
    )
    expect(incident && explainIncident(incident, null, it.alerts().rules(), 'electron').at(-1)).toEqual({
      kind: 'in-maintenance',
      window: 'Works',
    })
    await it.crash()
    expect(open(it)[0]?.delivery.suppressedBy).toBe('Works')
    expect([...it.alerts().state().drops.keys()]).toEqual([keyOf('acme', 'berlin-a-1')])
  })

  test('its report is erased with its connection', async () => {
    const { it } = await quiet(60)
    await it.drop('berlin-a-1')
    await it.clock.advance(hour + minute)
    await it.forget('acme')
    expect(it.alerts().state().maintenanceReports).toEqual([])
  })

  test('a report with all devices recovered is erased with its connection, too', async () => {
    const { it } = await quiet(60)
    await it.drop('berlin-a-1')
    await it.clock.advance(2 * minute)
    await it.back('berlin-a-1')
    await it.clock.advance(hour + minute)
    expect(it.alerts().state().maintenanceReports.map(titleOf)).toEqual(['Works is over: all of it is back'])
    await it.forget('acme')
    expect(it.alerts().state().maintenanceReports).toEqual([])
  })

  test('devices in its report are notified as recovered, also when drops were switched off', async () => {
    const { it } = await quiet(60, { notifyOffline: false })
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * minute)
    it.settings.notifyOffline = true
    it.alerts().recheck()
    await it.clock.advance(hour)
    expect(it.titles()).toEqual(['Works is over: 1 device did not come back'])
    await it.back('berlin-a-1')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio berlin-a-1 is back'])
  })
})
