import { events, type Answer, type EventData, type EventName } from '../../../../src-shared/contract/contract.ts'
import type { Core } from '../../../core.ts'
import { answerText } from '../../../ipc/answer.ts'
import type { Log } from '../../../ports.ts'
import { isOurs, type Sent } from './sender.ts'

/** Electron's channels of the pipe; the preload has them too. */
export const [callChannel, eventChannel] = ['muster:call', 'muster:event']

/** A window's page, as Electron's `WebContents`. */
export interface Page {
  isDestroyed(): boolean
  send(channel: string, name: string, text: string): void
  on(event: 'did-start-loading' | 'render-process-gone', listener: () => void): unknown
  once(event: 'destroyed', listener: () => void): unknown
}

export interface Pipe {
  /** Admits a window to calls and events, until it is destroyed. */
  admit(contents: Page): void
  /** Opens this in the windows; in a loading one as soon as it has asked for its state. */
  open(what: EventData<'open'>): void
  stop(): void
}

export interface PipeOptions {
  ipcMain: {
    handle(channel: string, listener: (event: Sent<Page>, name: unknown, input: unknown) => unknown): void
    removeHandler(channel: string): void
  }
  core: Pick<Core, 'handlers' | 'on'>
  log: Log
}

const rejection: Answer<never> = {
  ok: false,
  fault: { kind: 'input', detail: 'Muster answers to its own window only.' },
}

/**
 * The Electron shell's pipe: calls by `handle`, events by `send`, JSON text both ways (see
 * `src-shared/contract/bridge.ts`).
 */
export function startPipe({ ipcMain, core, log }: PipeOptions): Pipe {
  /** Each window, and whether its page has asked for the state, which it does when it listens. */
  const windows = new Map<Page, boolean>()
  let waiting: EventData<'open'> | null = null

  const send = (name: EventName, data: unknown) => {
    const text = JSON.stringify(data)
    for (const contents of windows.keys()) if (!contents.isDestroyed()) contents.send(eventChannel, name, text)
  }
  const markListening = (contents: Page) => {
    windows.set(contents, true)
    if (waiting !== null) contents.send(eventChannel, 'open', JSON.stringify(waiting))
    waiting = null
  }

  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) => {
    if (!isOurs(event, (contents) => windows.has(contents))) {
      log('warn', 'rejected a call that did not come from a window of Muster')
      return JSON.stringify(rejection)
    }
    const { sender } = event
    return answerText(core.handlers, name, input).then((answer) => {
      if (name === 'app.state' && windows.has(sender)) setImmediate(() => windows.has(sender) && markListening(sender))
      return JSON.stringify(answer)
    })
  })
  // Electron shows notifications itself (`notifications.ts`), and `open` waits for a window.
  const names = (Object.keys(events) as EventName[]).filter((name) => name !== 'notification')
  const offs = names.map((name) => core.on(name, (data) => send(name, data)))

  return {
    admit(contents) {
      windows.set(contents, false)
      contents.on('did-start-loading', () => windows.set(contents, false))
      // Its page receives no events now, and is loaded again (crash-recovery.ts).
      contents.on('render-process-gone', () => windows.set(contents, false))
      contents.once('destroyed', () => windows.delete(contents))
    },
    open(what) {
      if ([...windows.values()].includes(true)) send('open', what)
      else waiting = what
    },
    stop() {
      ipcMain.removeHandler(callChannel)
      for (const off of offs) off()
    },
  }
}
