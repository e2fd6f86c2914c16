import { textMessage } from '../support/messages.ts'
import { describe, expect, it } from 'vitest'
import {
  createBoard,
  mayHaveSettled,
  desktopNotificationId,
  takeSettled,
  type DesktopNotification,
} from '../../src-shared/notifications/desktop-notification.ts'
import type { Incident, Severity } from '../../src-shared/model/incidents.ts'
import { incident, summary, told } from '../main/platform/tray/status.ts'

/** A desktop that writes down what is shown and closed. */
function board(refuses = false) {
  const said: string[] = []
  const it = createBoard(({ id, told, silent }: DesktopNotification, before) => {
    before?.close()
    said.push(`${silent ? 'silent' : 'show'} ${id} ${told.devices}`)
    return refuses ? null : { close: () => void said.push(`close ${id}`) }
  })
  return { it, said, shows: (one: ReturnType<typeof told>, severity: Severity | null = null) => it.show(one, severity) }
}
const back = (id: string, devices = 12) =>
  told(`${id}-back`, {
    kind: 'recovered',
    devices,
    open: { scope: 's:berlin', filter: 'up:<1d', device: null, incident: id },
  })
const elsewhere = (scope: string) => ({ scope, filter: '', device: null, incident: 'a' })

describe('desktop notifications', () => {
  it('are one for each incident, replaced in place until its end', () => {
    const {
      shows,
      said,
      it: { standing },
    } = board()
    shows(told('a', { devices: 3 }))
    shows(told('b', { devices: 1 }))
    shows(told('a', { devices: 5 }))
    shows(back('a'))
    expect(said).toEqual(['show a 3', 'show b 1', 'close a', 'silent a 5', 'close a', 'show a 12'])
    expect(standing().map(desktopNotificationId)).toEqual(['b', 'a'])
  })

  it('are silent only where the same place has more devices down and the same severity', () => {
    const first = told('a', { devices: 3 })
    const after = (next: ReturnType<typeof told>, was: Severity | null = null, severity: Severity | null = null) => {
      const { shows, said } = board()
      shows(first, was)
      shows(next, severity)
      return said.at(-1)?.split(' ')[0]
    }
    expect(after(told('a', { devices: 4 }))).toBe('silent')
    expect(after(told('a', { devices: 4 }), 'minor', 'minor')).toBe('silent')
    expect(after(told('a', { devices: 4 }), null, 'critical')).toBe('silent')
    expect(after(told('a', { devices: 4 }), 'minor', 'major')).toBe('show')
    expect(after(told('a', { devices: 4 }), 'critical', 'major')).toBe('silent')
    expect(after(told('a', { devices: 3 }))).toBe('silent')
    expect(after(told('a', { devices: 2 }))).toBe('show')
    expect(after(told('a', { devices: 4, open: elsewhere('t:acme') }))).toBe('show')
    expect(after(told('a', { devices: 4, kind: 'flapping' }))).toBe('show')
    expect(after(told('b', { devices: 4 }))).toBe('show')
  })

  it("of a summary about one incident are replaced by that incident's own", () => {
    const { shows, said } = board()
    shows(told('digest', { kind: 'digest', open: elsewhere('all') }))
    shows(told('storm', { open: { ...elsewhere('all'), incident: null } }))
    shows(told('restored', { kind: 'monitoring-restored', open: { scope: 'all', filter: '', device: null } }))
    shows(told('a', { devices: 20 }))
    expect(said).toEqual(['show digest 12', 'show storm 12', 'show restored 12', 'close digest', 'show a 20'])
  })

  it('alert again when their incident has become worse, once each time, with its current text', () => {
    const {
      it: { show, weigh, standing },
      said,
    } = board()
    show(told('a'), null)
    weigh(summary([incident('a', { severity: 'minor' }), incident('x')]))
    weigh(
      summary([
        incident('a', {
          severity: 'major',
          message: textMessage('20 devices offline'),
          devices: { down: 20, others: 0, unseen: 1, peak: 20, total: 30 },
        }),
      ]),
    )
    weigh(summary([incident('a', { severity: 'major' })]))
    weigh(summary([incident('a', { severity: 'minor' })]))
    weigh(summary([incident('a', { severity: 'major' })]))
    expect(said).toEqual(['show a 12', 'close a', 'show a 20'])
    expect(standing()[0]).toMatchObject({ message: textMessage('20 devices offline'), open: { incident: 'a' } })
    show(told('a', { devices: 21 }), null)
    weigh(
      summary([
        incident('a', { severity: 'critical', devices: { down: 0, others: 0, unseen: 22, peak: 22, total: 30 } }),
      ]),
    )
    expect(said.slice(3)).toEqual(['close a', 'silent a 21', 'close a', 'show a 22'])
    show(back('a'), null)
    weigh(summary([incident('a', { severity: 'major' })]))
    weigh(summary([incident('a', { severity: 'critical' })]))
    expect(said.slice(7)).toEqual(['close a', 'show a 12'])
  })

  it('are kept to be clicked, but not for ever', () => {
    const {
      shows,
      said,
      it: { standing },
    } = board()
    for (let each = 0; each < 60; each += 1) shows(told(String(each)))
    expect(said.filter((line) => line.startsWith('close'))).toEqual(
      Array.from({ length: 10 }, (_, each) => `close ${each}`),
    )
    expect(standing()).toHaveLength(50)
  })

  it('that the system rejects or the user clicked are no longer kept', () => {
    const refused = board(true)
    refused.shows(told('a'))
    expect(refused.it.standing()).toEqual([])
    const {
      shows,
      it: { drop, standing },
      said,
    } = board()
    shows(told('a'))
    drop('a')
    drop('a')
    shows(told('a', { devices: 20 }))
    expect([said, standing().length]).toEqual([['show a 12', 'close a', 'show a 20'], 1])
  })
})

describe('kept notifications of incidents', () => {
  const settled = async (
    known: Record<string, Incident | null | undefined>,
    all: ReturnType<typeof told>[],
    now = summary(),
  ) => {
    const { it, said } = board()
    for (const one of all) it.show(one, null)
    await takeSettled(it, now, async (id) => known[id])
    return { said: said.filter((line) => line.startsWith('close')), left: it.standing().map(({ id }) => id) }
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
    const all = [...'abcdef'].map((id) => told(id, { open: { scope: id, filter: '', device: null, incident: id } }))
    const blind = told('blind', { kind: 'monitoring-lost', open: { scope: 'all', filter: '', device: null } })
    const { said, left } = await settled(known, [
      ...all,
      back('g'),
      told('h', { open: { scope: 'h', filter: '', device: null } }),
      blind,
    ])
    expect(said).toEqual(['close blind', 'close a', 'close b', 'close c', 'close d'])
    expect(left).toEqual(['e', 'f', 'g-back', 'h'])
  })

  it('stay without a request where the summary lists their incident as open', async () => {
    const known = { a: incident('a', { closedAt: 1 }) }
    expect((await settled(known, [told('a')], summary([incident('a')], { monitoringLost: 1 }))).left).toEqual(['a'])
    expect(
      (
        await settled(
          {},
          [told('b', { kind: 'monitoring-lost', open: { scope: 'all', filter: '', device: null } })],
          summary([], { monitoringLost: 1 }),
        )
      ).left,
    ).toEqual(['b'])
  })

  it('stay when another one replaced them during the request', async () => {
    const { it, said } = board()
    it.show(told('a'), null)
    await takeSettled(it, summary(), async () => {
      it.show(back('a'), null)
      return incident('a', { closedAt: 1 })
    })
    expect([said, it.standing().map(({ kind }) => kind)]).toEqual([
      ['show a 12', 'close a', 'show a 12'],
      ['recovered'],
    ])
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
