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

async function started(known: Record<string, Incident | null> = {}) {
  const listeners = new Map<EventName, (data: never) => void>()
  const shown: FleetStatus[] = []
  const [badges, calls, asked] = [[] as number[], [] as string[], [] as string[]]
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
  const notifications = createBoard(({ id, silent }, before) => {
    before?.close()
    calls.push(`${silent ? 'silent' : 'show'} ${id}`)
    return { close: () => void calls.push(`close ${id}`) }
  })
  const clock = manualClock()
  const presenter = await startPresenter({
    core,
    tray: { show: (now) => void shown.push(now) },
    notifications,
    badge: (count) => void badges.push(count),
    clock,
  })
  const emit = <N extends EventName>(name: N, data: EventData<N>) => listeners.get(name)?.(data as never)
  return { presenter, emit, shown, badges, calls, listeners, asked, clock, now: () => shown.at(-1) }
}

describe('the desktop presenter', () => {
  it('follows counts, connections, points, incidents, settings and pauses until it stops', async () => {
    const { presenter, emit, now, listeners } = await started()
    emit('patch', { totals: { connected: 0, disconnected: 1, unknown: 0 } } as EventData<'patch'>)
    emit('connections', [connection('waiting')])
    emit('gauges', [gauge()])
    emit('notifications', { pausedUntil: 7, recent: [] })
    emit('incidents', summary([incident('a')]))
    expect(now()).toMatchObject({
      totals: { disconnected: 1 },
      connections: [{ link: { state: 'waiting' } }],
      gauges: [{ limit: 100_000 }],
      pausedUntil: 7,
      incidents: { worst: [{ id: 'a' }] },
      utc: false,
    })
    expect([presenter.closeToTray(), presenter.utc()]).toEqual([false, false])
    emit('settings', { ...defaultSettings(false), closeToTray: true, times: 'utc' })
    expect([presenter.closeToTray(), presenter.utc(), now()?.utc]).toEqual([true, true, true])
    presenter.stop()
    expect(listeners.size).toBe(0)
  })

  it('marks the number of open incidents when it changes', async () => {
    const { emit, badges, presenter } = await started()
    emit('incidents', summary([incident('a'), incident('b', { severity: 'minor' })]))
    emit('incidents', summary([incident('a'), incident('b', { severity: 'minor' })], { suppressed: 4 }))
    emit('incidents', summary([], { acknowledged: 2 }))
    expect(badges).toEqual([2, 0])
    emit('incidents', summary([incident('a')]))
    presenter.mark()
    expect(badges).toEqual([2, 0, 1, 1])
  })

  it('shows a notification, and alerts again when it has become worse', async () => {
    const { emit, calls } = await started()
    emit('incidents', summary([incident('a', { severity: 'minor' })]))
    emit('notification', notification('a'))
    emit('notification', notification('a', { devices: 13 }))
    emit('incidents', summary([incident('a')]))
    expect(calls).toEqual(['show a', 'close a', 'silent a', 'close a', 'show a'])
  })

  it('closes the desktop notification of an incident that was acknowledged', async () => {
    const { emit, calls, asked } = await started({ a: incident('a', { acknowledged: { at: 1, reason: 'known' } }) })
    emit('incidents', summary([incident('a'), incident('b')]))
    for (const id of ['a', 'b'])
      emit('notification', notification(id, { open: { scope: id, filter: '', device: null, incident: id } }))
    await settle()
    expect(asked).toEqual([])
    emit('incidents', summary([], { acknowledged: 2 }))
    await settle()
    expect([asked, calls]).toEqual([
      ['a', 'b'],
      ['show a', 'show b', 'close a'],
    ])
  })

  it('checks again when an incident changes during its check, and after a monitoring loss', async () => {
    const { emit, calls, asked } = await started({ a: incident('a'), b: incident('b') })
    const blind: Notification = notification('dark', {
      kind: 'monitoring-lost',
      open: { scope: 'all', filter: '', device: null },
    })
    emit('incidents', summary([incident('a'), incident('b')], { monitoringLost: 1 }))
    emit('notification', blind)
    emit('notification', notification('a'))
    emit('incidents', summary([incident('b')], { acknowledged: 1, monitoringLost: 1 }))
    emit('incidents', summary([incident('b')], { acknowledged: 1 }))
    emit('incidents', summary([], { acknowledged: 2 }))
    await settle()
    expect([asked, calls]).toEqual([
      ['a', 'a'],
      ['show dark', 'show a', 'close dark'],
    ])
  })

  it('offers to undo an action of the tray for ten minutes', async () => {
    const { presenter, now, clock } = await started()
    presenter.done({ id: 1, description: 'one' })
    await clock.advance(9 * 60_000)
    presenter.done({ id: 2, description: 'two' })
    await clock.advance(9 * 60_000)
    expect(now()?.done).toEqual({ id: 2, description: 'two' })
    await clock.advance(60_000)
    expect(now()?.done).toBeNull()
    presenter.done({ id: 3, description: 'three' })
    presenter.done(null)
    expect([now()?.done, clock.pending()]).toEqual([null, 0])
  })
})
