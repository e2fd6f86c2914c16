import { textMessage } from '../support/messages.ts'
import { describe, expect, it } from 'vitest'
import {
  createBoard,
  mayHaveSettled,
  desktopNotificationId,
  closeSettled,
  type DesktopNotification,
} from '../../src-shared/notifications/desktop-notification.ts'
import type { Incident, Severity } from '../../src-shared/model/incidents.ts'
import { incident, summary, notification } from '../main/platform/tray/status.ts'

/** A desktop that writes down what is shown and closed. */
function board(rejects = false) {
  const log: string[] = []
  const it = createBoard(({ id, notification, silent }: DesktopNotification, before) => {
    before?.close()
    log.push(`${silent ? 'silent' : 'show'} ${id} ${notification.devices}`)
    return rejects ? null : { close: () => void log.push(`close ${id}`) }
  })
  return {
    it,
    log,
    shows: (one: ReturnType<typeof notification>, severity: Severity | null = null) => it.show(one, severity),
  }
}
const back = (id: string, devices = 12) =>
  notification(`${id}-back`, {
    kind: 'recovered',
    devices,
    open: { scope: 's:berlin', filter: 'up:<1d', device: null, incident: id },
  })
const elsewhere = (scope: string) => ({ scope, filter: '', device: null, incident: 'a' })

describe('desktop notifications', () => {
  it('are one for each incident, replaced in place until its end', () => {
    const {
      shows,
      log,
      it: { shown },
    } = board()
    shows(notification('a', { devices: 3 }))
    shows(notification('b', { devices: 1 }))
    shows(notification('a', { devices: 5 }))
    shows(back('a'))
    expect(log).toEqual(['show a 3', 'show b 1', 'close a', 'silent a 5', 'close a', 'show a 12'])
    expect(shown().map(desktopNotificationId)).toEqual(['b', 'a'])
  })

  it('are silent only where the same place has more devices down and the same severity', () => {
    const first = notification('a', { devices: 3 })
    const after = (
      next: ReturnType<typeof notification>,
      was: Severity | null = null,
      severity: Severity | null = null,
    ) => {
      const { shows, log } = board()
      shows(first, was)
      shows(next, severity)
      return log.at(-1)?.split(' ')[0]
    }
    expect(after(notification('a', { devices: 4 }))).toBe('silent')
    expect(after(notification('a', { devices: 4 }), 'minor', 'minor')).toBe('silent')
    expect(after(notification('a', { devices: 4 }), null, 'critical')).toBe('silent')
    expect(after(notification('a', { devices: 4 }), 'minor', 'major')).toBe('show')
    expect(after(notification('a', { devices: 4 }), 'critical', 'major')).toBe('silent')
    expect(after(notification('a', { devices: 3 }))).toBe('silent')
    expect(after(notification('a', { devices: 2 }))).toBe('show')
    expect(after(notification('a', { devices: 4, open: elsewhere('t:acme') }))).toBe('show')
    expect(after(notification('a', { devices: 4, kind: 'flapping' }))).toBe('show')
    expect(after(notification('b', { devices: 4 }))).toBe('show')
  })

  it("of a summary about one incident are replaced by that incident's own", () => {
    const { shows, log } = board()
    shows(notification('digest', { kind: 'digest', open: elsewhere('all') }))
    shows(notification('storm', { open: { ...elsewhere('all'), incident: null } }))
    shows(notification('restored', { kind: 'monitoring-restored', open: { scope: 'all', filter: '', device: null } }))
    shows(notification('a', { devices: 20 }))
    expect(log).toEqual(['show digest 12', 'show storm 12', 'show restored 12', 'close digest', 'show a 20'])
  })

  it('alert again when their incident has become worse, once each time, with its current text', () => {
    const {
      it: { show, evaluate, shown },
      log,
    } = board()
    show(notification('a'), null)
    evaluate(summary([incident('a', { severity: 'minor' }), incident('x')]))
    evaluate(
      summary([
        incident('a', {
          severity: 'major',
          message: textMessage('20 devices offline'),
          devices: { down: 20, others: 0, unseen: 1, peak: 20, total: 30 },
        }),
      ]),
    )
    evaluate(summary([incident('a', { severity: 'major' })]))
    evaluate(summary([incident('a', { severity: 'minor' })]))
    evaluate(summary([incident('a', { severity: 'major' })]))
    expect(log).toEqual(['show a 12', 'close a', 'show a 20'])
    expect(shown()[0]).toMatchObject({ message: textMessage('20 devices offline'), open: { incident: 'a' } })
    show(notification('a', { devices: 21 }), null)
    evaluate(
      summary([
        incident('a', { severity: 'critical', devices: { down: 0, others: 0, unseen: 22, peak: 22, total: 30 } }),
      ]),
    )
    expect(log.slice(3)).toEqual(['close a', 'silent a 21', 'close a', 'show a 22'])
    show(back('a'), null)
    evaluate(summary([incident('a', { severity: 'major' })]))
    evaluate(summary([incident('a', { severity: 'critical' })]))
    expect(log.slice(7)).toEqual(['close a', 'show a 12'])
  })

  it('are kept to be clicked, but not for ever', () => {
    const {
      shows,
      log,
      it: { shown },
    } = board()
    for (let each = 0; each < 60; each += 1) shows(notification(String(each)))
    expect(log.filter((line) => line.startsWith('close'))).toEqual(
      Array.from({ length: 10 }, (_, each) => `close ${each}`),
    )
    expect(shown()).toHaveLength(50)
  })

  it('that the system rejects or the user clicked are no longer kept', () => {
    const rejecting = board(true)
    rejecting.shows(notification('a'))
    expect(rejecting.it.shown()).toEqual([])
    const {
      shows,
      it: { drop, shown },
      log,
    } = board()
    shows(notification('a'))
    drop('a')
    drop('a')
    shows(notification('a', { devices: 20 }))
    expect([log, shown().length]).toEqual([['show a 12', 'close a', 'show a 20'], 1])
  })
})

describe('kept notifications of incidents', () => {
  const settled = async (
    known: Record<string, Incident | null | undefined>,
    all: ReturnType<typeof notification>[],
    now = summary(),
  ) => {
    const { it, log } = board()
    for (const one of all) it.show(one, null)
    await closeSettled(it, now, async (id) => known[id])
    return { log: log.filter((line) => line.startsWith('close')), left: it.shown().map(({ id }) => id) }
  }

  it('are closed when their incident is acknowledged, closed or unknown', async () => {
    const known = {
      a: incident('a', { acknowledged: { at: 1, reason: 'moving' } }),
      b: incident('b', { snoozed: { at: 1, until: null } }),
      c: incident('c', { closedAt: 1 }),
      d: null,
      e: undefined,
      f: incident('f'),
      g: incident('g', { closedAt: 1 }),
      h: incident('h', { closedAt: 1 }),
    }
    const all = [...'abcdef'].map((id) =>
      notification(id, { open: { scope: id, filter: '', device: null, incident: id } }),
    )
    const lost = notification('lost', { kind: 'monitoring-lost', open: { scope: 'all', filter: '', device: null } })
    const { log, left } = await settled(known, [
      ...all,
      back('g'),
      notification('h', { open: { scope: 'h', filter: '', device: null } }),
      lost,
    ])
    expect(log).toEqual(['close lost', 'close a', 'close b', 'close c', 'close d'])
    expect(left).toEqual(['e', 'f', 'g-back', 'h'])
  })

  it('stay without a request where the summary lists their incident as open', async () => {
    const known = { a: incident('a', { closedAt: 1 }) }
    expect((await settled(known, [notification('a')], summary([incident('a')], { monitoringLost: 1 }))).left).toEqual([
      'a',
    ])
    expect(
      (
        await settled(
          {},
          [notification('b', { kind: 'monitoring-lost', open: { scope: 'all', filter: '', device: null } })],
          summary([], { monitoringLost: 1 }),
        )
      ).left,
    ).toEqual(['b'])
  })

  it('stay when another one replaced them during the request', async () => {
    const { it, log } = board()
    it.show(notification('a'), null)
    await closeSettled(it, summary(), async () => {
      it.show(back('a'), null)
      return incident('a', { closedAt: 1 })
    })
    expect([log, it.shown().map(({ kind }) => kind)]).toEqual([['show a 12', 'close a', 'show a 12'], ['recovered']])
  })

  it('are checked when an incident may have gone, and not because one came', () => {
    const one = summary([incident('a')])
    const two = summary([incident('a'), incident('b')])
    expect([
      mayHaveSettled(one, two),
      mayHaveSettled(two, one),
      mayHaveSettled(two, summary([incident('a')], { acknowledged: 1 })),
      mayHaveSettled(one, one),
    ]).toEqual([false, true, true, false])
    const none = summary([])
    expect([
      mayHaveSettled(none, summary([], { acknowledged: 1 })),
      mayHaveSettled(none, summary([], { snoozed: 1 })),
      mayHaveSettled(summary([], { snoozed: 1 }), none),
    ]).toEqual([true, true, true])
  })
})
