import { describe, expect, it } from 'vitest'
import type { Core } from '../../../../src-main/core.ts'
import { startPresenter } from '../../../../src-main/platform/desktop/presenter.ts'
import type { EventData, EventName } from '../../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../../src-shared/model/incidents.ts'
import type { Notification } from '../../../../src-shared/model/inventory.ts'
import { defaultSettings } from '../../../../src-shared/model/settings.ts'
import { createBoard } from '../../../../src-shared/notifications/desktop-notification.ts'
import type { FleetStatus } from '../../../../src-main/platform/tray/status.ts'
import { manualClock, settle } from '../../../support/clock.ts'
import { connection, gauge, incident, summary, notification } from '../tray/status.ts'

async function placed(known: Record<string, Incident | null> = {}) {
  const listeners = new Map<EventName, (data: never) => void>()
  const shown: FleetStatus[] = []
  const [badges, noted, asked] = [[] as number[], [] as string[], [] as string[]]
  const state = {
    totals: { connected: 1, disconnected: 0, unknown: 0 },
    connections: [connection('live')],
    gauges: [],
    incidents: summary(),
    notifications: { pausedUntil: null, recent: [] },
    settings: defaultSettings(false),
  }
  const show = async ({ id }: { id: string }) => {
    asked.push(id)
    if (!(id in known)) throw new Error('the disk is full')
    const found = known[id] ?? null
    return { rev: 1, shown: found === null ? null : { incident: found, why: [], history: [] } }
  }
  const core = {
    handlers: { 'app.state': async () => state, 'incidents.show': show },
    on: (name: EventName, listener: (data: never) => void) => (
      listeners.set(name, listener),
      () => listeners.delete(name)
    ),
  } as unknown as Pick<Core, 'handlers' | 'on'>
  const notices = createBoard(({ id, silent }, before) => {
    before?.close()
    noted.push(`${silent ? 'silent' : 'show'} ${id}`)
    return { close: () => void noted.push(`close ${id}`) }
  })
  const clock = manualClock()
  const desk = await startPresenter({
    core,
    tray: { show: (now) => void shown.push(now) },
    notices,
    badge: (count) => void badges.push(count),
    clock,
  })
  const tell = <N extends EventName>(name: N, data: EventData<N>) => listeners.get(name)?.(data as never)
  return { desk, tell, shown, badges, noted, listeners, asked, clock, now: () => shown.at(-1) }
}

describe('the desktop presenter', () => {
  it('follows counts, connections, points, incidents, settings and pauses until it stops', async () => {
    const { desk, tell, now, listeners } = await placed()
    tell('patch', { totals: { connected: 0, disconnected: 1, unknown: 0 } } as EventData<'patch'>)
    tell('connections', [connection('waiting')])
    tell('gauges', [gauge()])
    tell('notifications', { pausedUntil: 7, recent: [] })
    tell('incidents', summary([incident('a')]))
    expect(now()).toMatchObject({
      totals: { disconnected: 1 },
      connections: [{ link: { state: 'waiting' } }],
      gauges: [{ limit: 100_000 }],
      pausedUntil: 7,
      incidents: { worst: [{ id: 'a' }] },
      utc: false,
    })
    expect([desk.closeToTray(), desk.utc()]).toEqual([false, false])
    tell('settings', { ...defaultSettings(false), closeToTray: true, times: 'utc' })
    expect([desk.closeToTray(), desk.utc(), now()?.utc]).toEqual([true, true, true])
    desk.stop()
    expect(listeners.size).toBe(0)
  })

  it('marks the number of open incidents when it changes', async () => {
    const { tell, badges, desk } = await placed()
    tell('incidents', summary([incident('a'), incident('b', { severity: 'minor' })]))
    tell('incidents', summary([incident('a'), incident('b', { severity: 'minor' })], { suppressed: 4 }))
    tell('incidents', summary([], { acknowledged: 2 }))
    expect(badges).toEqual([2, 0])
    tell('incidents', summary([incident('a')]))
    desk.mark()
    expect(badges).toEqual([2, 0, 1, 1])
  })

  it('shows a notification, and alerts again when it has become worse', async () => {
    const { tell, noted } = await placed()
    tell('incidents', summary([incident('a', { severity: 'minor' })]))
    tell('notification', notification('a'))
    tell('notification', notification('a', { devices: 13 }))
    tell('incidents', summary([incident('a')]))
    expect(noted).toEqual(['show a', 'close a', 'silent a', 'close a', 'show a'])
  })

  it('closes the desktop notification of an incident that was acknowledged', async () => {
    const { tell, noted, asked } = await placed({ a: incident('a', { acknowledged: { at: 1, reason: 'known' } }) })
    tell('incidents', summary([incident('a'), incident('b')]))
    for (const id of ['a', 'b'])
      tell('notification', notification(id, { open: { scope: id, filter: '', device: null, incident: id } }))
    await settle()
    expect(asked).toEqual([])
    tell('incidents', summary([], { acknowledged: 2 }))
    await settle()
    expect([asked, noted]).toEqual([
      ['a', 'b'],
      ['show a', 'show b', 'close a'],
    ])
  })

  it('checks again when an incident changes during its check, and after a monitoring loss', async () => {
    const { tell, noted, asked } = await placed({ a: incident('a'), b: incident('b') })
    const blind: Notification = notification('dark', {
      kind: 'monitoring-lost',
      open: { scope: 'all', filter: '', device: null },
    })
    tell('incidents', summary([incident('a'), incident('b')], { monitoringLost: 1 }))
    tell('notification', blind)
    tell('notification', notification('a'))
    tell('incidents', summary([incident('b')], { acknowledged: 1, monitoringLost: 1 }))
    tell('incidents', summary([incident('b')], { acknowledged: 1 }))
    tell('incidents', summary([], { acknowledged: 2 }))
    await settle()
    expect([asked, noted]).toEqual([
      ['a', 'a'],
      ['show dark', 'show a', 'close dark'],
    ])
  })

  it('offers to undo an action of the tray for ten minutes', async () => {
    const { desk, now, clock } = await placed()
    desk.done({ act: 1, words: 'one' })
    await clock.advance(9 * 60_000)
    desk.done({ act: 2, words: 'two' })
    await clock.advance(9 * 60_000)
    expect(now()?.done).toEqual({ act: 2, words: 'two' })
    await clock.advance(60_000)
    expect(now()?.done).toBeNull()
    desk.done({ act: 3, words: 'three' })
    desk.done(null)
    expect([now()?.done, clock.pending()]).toEqual([null, 0])
  })
})
