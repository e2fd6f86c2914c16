import { expect, it } from 'vitest'
import type { Core } from '../../../../src-main/core.ts'
import { createTrayActions } from '../../../../src-main/platform/desktop/tray-actions.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { settle } from '../../../support/clock.ts'
import { now } from '../tray/status.ts'

/** `fault`: rejects every call of the core. */
function desk(fault: unknown = null) {
  const did: unknown[] = []
  const answers = (name: string, value: unknown) => async (input: unknown) => {
    did.push([name, input])
    if (fault !== null) throw fault
    return value
  }
  const handlers = {
    'incidents.snooze': answers('snooze', { undo: 9 }),
    'notifications.pause': answers('pause', {}),
    'actions.undo': answers('undo', {}),
  } as unknown as Core['handlers']
  const perform = createTrayActions({
    core: { handlers },
    now: () => now,
    utc: () => true,
    raise: () => void did.push('raise'),
    open: (what) => void did.push(['open', what]),
    quit: () => void did.push('quit'),
    notify: (title, body) => void did.push(['say', title, body]),
    log: (level, text) => void did.push([level, text]),
    onDone: (done) => void did.push(['done', done]),
  })
  return { perform, did }
}
const snooze = { do: 'snooze', incident: 'a', title: '12 devices offline', duration: 'hour' } as const
const open = { scope: 'all', filter: '', device: null, incident: 'a', seek: 'why' } as const

it('an action of the tray is run by the core, and can be undone', async () => {
  const { perform, did } = desk()
  for (const action of [
    snooze,
    { do: 'pause', minutes: 60 },
    { do: 'undo', id: 9 },
    { do: 'open', what: open },
    { do: 'raise' },
    { do: 'quit' },
  ] as const) {
    perform(action)
    await settle()
  }
  expect(did).toEqual([
    ['snooze', { ids: ['a'], until: now + 60 * 60_000 }],
    ['done', { id: 9, description: 'snoozed 12 devices offline' }],
    ['pause', { minutes: 60 }],
    ['done', null],
    ['undo', { id: 9 }],
    'raise',
    ['open', open],
    'raise',
    'quit',
  ])
})

it('an action that the core rejects is logged and reported, with its reason', async () => {
  const { perform, did } = desk(new FaultError('input', 'This incident is closed.'))
  perform(snooze)
  await settle()
  expect(did.slice(1)).toEqual([
    ['warn', 'incidents.snooze from the tray failed (input: This incident is closed.)'],
    ['say', 'Not snoozed: 12 devices offline', 'This incident is closed.'],
  ])
  const maxBufferedBytes = desk(new FaultError('storage'))
  maxBufferedBytes.perform({ do: 'pause', minutes: 0 })
  maxBufferedBytes.perform({ do: 'pause', minutes: 60 })
  maxBufferedBytes.perform({ do: 'undo', id: 1 })
  await settle()
  const said = maxBufferedBytes.did.filter((one) => Array.isArray(one) && one[0] === 'say')
  expect(said).toEqual(
    ['Notifications could not be resumed', 'Notifications could not be paused', 'Undo failed'].map((title) => [
      'say',
      title,
      expect.stringContaining('Muster cannot write to its disk.'),
    ]),
  )
})
