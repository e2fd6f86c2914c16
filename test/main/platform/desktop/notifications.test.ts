import { textMessage } from '../../../support/messages.ts'
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  startDesktopNotifications,
  type NotificationText,
} from '../../../../src-main/platform/desktop/notifications/notifications.ts'
import { notification } from '../tray/status.ts'

interface System {
  supported?: boolean
  /** Says while it is asked to show one that it does not. */
  refusesAtOnce?: boolean
}

function started({ supported = true, refusesAtOnce = false }: System = {}) {
  const said: string[] = []
  const options: NotificationText[] = []
  const reports: string[] = []
  const live: EventEmitter[] = []
  const notices = startDesktopNotifications({
    isSupported: () => supported,
    utc: () => true,
    create(wanted) {
      const { id } = wanted
      options.push(wanted)
      const it = Object.assign(new EventEmitter(), {
        show: () => {
          said.push(`show ${id}`)
          if (refusesAtOnce) it.emit('failed', {}, 'the system refused')
        },
        close: () => void said.push(`close ${id}`),
      })
      live.push(it)
      return it
    },
    onClick: ({ id }) => void said.push(`click ${id}`),
    onFailed: () => void said.push('failed'),
    onShown: ({ id }, shown) => void reports.push(`${id} ${shown}`),
  })
  return { notices, said, options, live, reports }
}

describe('desktop notifications', () => {
  it('open their incident, once', () => {
    const { notices, said, live } = started()
    notices.show(notification('a'), null)
    live[0]?.emit('click')
    expect([said, notices.shown()]).toEqual([['show a', 'close a', 'click a'], []])
  })

  it('replace the previous one of the same incident, and are silent when it only grew', () => {
    const { notices, said, options } = started()
    notices.show(notification('a'), null)
    notices.show(notification('a', { devices: 14 }), null)
    notices.show(
      notification('a-back', { kind: 'recovered', message: textMessage('All are back'), open: notification('a').open }),
      null,
    )
    notices.show(notification('b', { open: { scope: 'all', filter: '', device: null } }), null)
    notices.say('Not snoozed', 'This incident is closed.')
    notices.stop()
    expect(said).toEqual([
      'show a',
      'close a',
      'show a',
      'close a',
      'show a',
      'show b',
      'show muster',
      'close muster',
      'close a',
      'close b',
    ])
    expect(options.map(({ silent }) => silent ?? false)).toEqual([false, true, false, false, false])
    expect(options[2]).toMatchObject({ id: 'a', title: 'All are back', urgency: 'normal' })
  })

  it('that were replaced do nothing to their successor', () => {
    const { notices, said, live } = started()
    notices.show(notification('a'), null)
    notices.show(notification('a', { devices: 14 }), null)
    live[0]?.emit('failed', {}, 'late')
    expect([said.at(-1), notices.shown().map(({ devices }) => devices)]).toEqual(['failed', [14]])
  })

  it('fall back where the system shows none, at once or later', () => {
    const none = started({ supported: false })
    const atOnce = started({ refusesAtOnce: true })
    const later = started()
    for (const { notices } of [none, atOnce, later]) notices.show(notification('b'), null)
    later.live[0]?.emit('failed', {}, 'the system refused')
    expect([none.said, atOnce.said, later.said]).toEqual([
      ['failed'],
      ['show b', 'failed'],
      ['show b', 'close b', 'failed'],
    ])
    expect([none, atOnce, later].map(({ notices }) => notices.shown().length)).toEqual([0, 0, 0])
    expect([none, atOnce, later].map(({ reports }) => reports)).toEqual([
      ['b false'],
      ['b false'],
      ['b true', 'b false'],
    ])
  })

  it("report Muster's own errors, each replacing the last", () => {
    const { notices, said, options, live } = started()
    notices.say('Not snoozed', 'This incident is closed.')
    notices.say('Not snoozed', 'This computer’s disk is full.')
    notices.closeMatching(() => true)
    live[1]?.emit('click')
    notices.stop()
    expect([said, options[1]?.body]).toEqual([
      ['show muster', 'close muster', 'show muster', 'close muster'],
      'This computer’s disk is full.',
    ])
    const none = started({ supported: false })
    none.notices.say('Not snoozed', '')
    expect(none.said).toEqual(['failed'])
  })
})
