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
  rejectsAtOnce?: boolean
}

function started({ supported = true, rejectsAtOnce = false }: System = {}) {
  const calls: string[] = []
  const options: NotificationText[] = []
  const reports: string[] = []
  const live: EventEmitter[] = []
  const notifications = startDesktopNotifications({
    isSupported: () => supported,
    utc: () => true,
    create(text) {
      const { id } = text
      options.push(text)
      const it = Object.assign(new EventEmitter(), {
        show: () => {
          calls.push(`show ${id}`)
          if (rejectsAtOnce) it.emit('failed', {}, 'the system refused')
        },
        close: () => void calls.push(`close ${id}`),
      })
      live.push(it)
      return it
    },
    onClick: ({ id }) => void calls.push(`click ${id}`),
    onFailed: () => void calls.push('failed'),
    onDelivery: ({ id }, shown) => void reports.push(`${id} ${shown}`),
  })
  return { notifications, calls, options, live, reports }
}

describe('desktop notifications', () => {
  it('open their incident, once', () => {
    const { notifications, calls, live } = started()
    notifications.show(notification('a'), null)
    live[0]?.emit('click')
    expect([calls, notifications.shown()]).toEqual([['show a', 'close a', 'click a'], []])
  })

  it('replace the previous one of the same incident, and are silent when it only grew', () => {
    const { notifications, calls, options } = started()
    notifications.show(notification('a'), null)
    notifications.show(notification('a', { devices: 14 }), null)
    notifications.show(
      notification('a-back', { kind: 'recovered', message: textMessage('All are back'), open: notification('a').open }),
      null,
    )
    notifications.show(notification('b', { open: { scope: 'all', filter: '', device: null } }), null)
    notifications.notify('Not snoozed', 'This incident is closed.')
    notifications.stop()
    expect(calls).toEqual([
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
    const { notifications, calls, live } = started()
    notifications.show(notification('a'), null)
    notifications.show(notification('a', { devices: 14 }), null)
    live[0]?.emit('failed', {}, 'late')
    expect([calls.at(-1), notifications.shown().map(({ devices }) => devices)]).toEqual(['failed', [14]])
  })

  it('fall back where the system shows none, at once or later', () => {
    const none = started({ supported: false })
    const atOnce = started({ rejectsAtOnce: true })
    const later = started()
    for (const { notifications } of [none, atOnce, later]) notifications.show(notification('b'), null)
    later.live[0]?.emit('failed', {}, 'the system refused')
    expect([none.calls, atOnce.calls, later.calls]).toEqual([
      ['failed'],
      ['show b', 'failed'],
      ['show b', 'close b', 'failed'],
    ])
    expect([none, atOnce, later].map(({ notifications }) => notifications.shown().length)).toEqual([0, 0, 0])
    expect([none, atOnce, later].map(({ reports }) => reports)).toEqual([
      ['b false'],
      ['b false'],
      ['b true', 'b false'],
    ])
  })

  it("report Muster's own errors, each replacing the last", () => {
    const { notifications, calls, options, live } = started()
    notifications.notify('Not snoozed', 'This incident is closed.')
    notifications.notify('Not snoozed', 'This computer’s disk is full.')
    notifications.closeMatching(() => true)
    live[1]?.emit('click')
    notifications.stop()
    expect([calls, options[1]?.body]).toEqual([
      ['show muster', 'close muster', 'show muster', 'close muster'],
      'This computer’s disk is full.',
    ])
    const none = started({ supported: false })
    none.notifications.notify('Not snoozed', '')
    expect(none.calls).toEqual(['failed'])
  })
})
