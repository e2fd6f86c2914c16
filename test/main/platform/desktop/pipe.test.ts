import { EventEmitter } from 'node:events'
import type { IpcMain, WebContents } from 'electron'
import { expect, it } from 'vitest'
import type { Core } from '../../../../src-main/core.ts'
import { startPipe } from '../../../../src-main/platform/desktop/page/pipe.ts'
import { origin } from '../../../../src-main/platform/desktop/page/page.ts'
import { events, type EventName } from '../../../../src-shared/contract/contract.ts'

class Contents extends EventEmitter {
  sent: unknown[][] = []
  send = (...args: unknown[]) => void this.sent.push(args)
  isDestroyed = () => false
}

function started() {
  const listeners = new Map<EventName, (data: unknown) => void>()
  const handlers = new Map<string, (event: unknown, name: unknown, input: unknown) => unknown>()
  const log: string[] = []
  const core = {
    handlers: {
      'app.state': async () => ({ rev: 1 }),
      'sync.start': async () => {
        throw new Error('secret-in-an-error')
      },
    },
    on: (name: EventName, listener: (data: unknown) => void) => (
      listeners.set(name, listener),
      () => listeners.delete(name)
    ),
  } as unknown as Pick<Core, 'handlers' | 'on'>
  const ipcMain = {
    handle: (channel: string, handler: never) => void handlers.set(channel, handler),
    removeHandler: (channel: string) => void handlers.delete(channel),
  } as unknown as IpcMain
  const pipe = startPipe({ ipcMain, core, log: (_level, text) => void log.push(text) })
  const contents = new Contents()
  pipe.admit(contents as unknown as WebContents)
  const call = async (
    name: unknown,
    input: unknown,
    sender: unknown = contents,
    senderFrame: unknown = { parent: null, origin },
  ) => JSON.parse(String(await handlers.get('muster:call')?.({ sender, senderFrame }, name, input)))
  return { pipe, contents, call, log, listeners, handlers }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

it('answers every call and every error with an envelope', async () => {
  const { call } = started()
  expect(await call('app.state', '{}')).toEqual({ ok: true, value: { rev: 1 } })
  expect(await call('app.state', 'no json')).toMatchObject({ ok: false, fault: { kind: 'input' } })
  expect(await call('no.such', '{}')).toMatchObject({ ok: false, fault: { kind: 'input' } })
  expect(await call(7, {})).toMatchObject({ ok: false, fault: { kind: 'input' } })
  const failed = await call('sync.start', '{"scope":"all"}')
  expect(failed).toEqual({ ok: false, fault: { kind: 'internal', detail: 'Error' } })
})

it('answers no other sender, and logs it', async () => {
  const { call, log, contents } = started()
  const refused = { ok: false, fault: { kind: 'input', detail: 'Muster answers to its own window only.' } }
  expect(await call('app.state', '{}', new Contents())).toEqual(refused)
  expect(await call('app.state', '{}', contents, null)).toEqual(refused)
  expect(await call('app.state', '{}', contents, { parent: {}, origin })).toEqual(refused)
  expect(log).toHaveLength(3)
  contents.emit('destroyed')
  expect(await call('app.state', '{}')).toEqual(refused)
})

it('pushes every event of the contract but the notifications, which the desktop shows itself', () => {
  const { listeners, contents } = started()
  for (const listener of listeners.values()) listener({ some: 'thing' })
  expect(contents.sent.map(([, name]) => name).toSorted()).toEqual(
    Object.keys(events)
      .filter((name) => name !== 'notification')
      .toSorted(),
  )
  expect(contents.sent[0]).toEqual(['muster:event', expect.any(String), '{"some":"thing"}'])
})

it('a link waits for the window to listen, also after a reload', async () => {
  const { pipe, contents, call } = started()
  const what = (filter: string) => ({ scope: 'all', filter, device: null })
  pipe.open(what('before'))
  expect(contents.sent).toEqual([])
  await call('app.state', '{}')
  await turn()
  expect(contents.sent).toEqual([['muster:event', 'open', JSON.stringify(what('before'))]])
  pipe.open(what('now'))
  contents.emit('did-start-loading')
  pipe.open(what('later'))
  expect(contents.sent).toHaveLength(2)
  await call('app.state', '{}')
  await turn()
  expect(contents.sent.at(-1)).toEqual(['muster:event', 'open', JSON.stringify(what('later'))])
})

it('a link waits for the page that follows a crashed one', async () => {
  const { pipe, contents, call } = started()
  await call('app.state', '{}')
  await turn()
  contents.emit('render-process-gone', {}, { reason: 'oom' })
  pipe.open({ scope: 'all', filter: '', device: null, incident: 'one' })
  expect(contents.sent).toEqual([])
  await call('app.state', '{}')
  await turn()
  expect(contents.sent).toEqual([['muster:event', 'open', expect.stringContaining('"incident":"one"')]])
})

it('releases everything at the end', () => {
  const { pipe, listeners, handlers } = started()
  pipe.stop()
  expect([listeners.size, handlers.size]).toEqual([0, 0])
})
