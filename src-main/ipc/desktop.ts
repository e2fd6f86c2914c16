import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Adding } from '../../src-shared/navigation/screens.ts'
import { openFileCalls } from './files.ts'

/** What a shell on a desktop can do beside a browser's. */
export interface DesktopAbilities {
  /** Asks the person where a file of this name goes: its path, or null when they called it off. */
  saveAs(name: string): Promise<string | null>
  /** Whether the system can start Muster at login, by the setting. */
  startsAtLogin: boolean
}

/**
 * From the demo starts Muster for real connections, and the other way, in a process of its own, on the usual profile for that;
 * with this dialog open. Resolves with its address in a browser, null where it opens a window of its own.
 */
export type StartOther = (add: Adding | null) => Promise<string | null>

type DesktopCall = `files.${'begin' | 'write' | 'end'}` | 'start.other'

/** What a desktop can do for a window, refused in words where there is none. */
export function openDesktopCalls(
  desktop: DesktopAbilities | null,
  startOther: StartOther | null,
  clock: Pick<Clock, 'after'>,
): { handlers: Pick<Handlers, DesktopCall>; stop(): Promise<void> } {
  const files = openFileCalls(desktop && ((name) => desktop.saveAs(name)), clock)
  return {
    handlers: {
      ...files.handlers,
      'start.other': async ({ add }) => {
        if (startOther === null) throw new FaultError('input', 'From here it has to be started by hand.')
        return { url: await startOther(add) }
      },
    },
    stop: files.stop,
  }
}
