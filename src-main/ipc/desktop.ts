import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Adding } from '../../src-shared/navigation/screens.ts'
import { type FileAbilities, openFileCalls } from './files.ts'

/** The abilities of a desktop shell beyond those of a browser. */
export interface DesktopAbilities extends FileAbilities {
  /** Sets whether the window fills the screen for the wall display; afterwards it is as it was before. */
  setFullScreen(on: boolean): void
  /** True when the system can start Muster at login by a setting. */
  startsAtLogin: boolean
}

/**
 * Starts Muster for real connections from the demo, or the demo from there, in its own process, on the usual profile
 * for that, with the given dialog open. Resolves with its address in a browser, or null where it opens its own window.
 */
export type StartOther = (add: Adding | null) => Promise<string | null>

type DesktopCall =
  | `files.${'begin' | 'write' | 'writePdf' | 'end' | 'chooseFolder'}`
  | 'start.other'
  | 'windows.fullScreen'

/** Opens the desktop's calls; where there is no desktop they reject with a fault. */
export function openDesktopCalls(
  desktop: DesktopAbilities | null,
  startOther: StartOther | null,
  clock: Pick<Clock, 'after'>,
): { handlers: Pick<Handlers, DesktopCall>; stop(): Promise<void> } {
  const files = openFileCalls(desktop, clock)
  return {
    handlers: {
      ...files.handlers,
      'windows.fullScreen': async ({ on }) => {
        if (desktop === null) throw new FaultError('input', 'In a browser the page fills the screen itself.')
        desktop.setFullScreen(on)
        return {}
      },
      'start.other': async ({ add }) => {
        if (startOther === null) throw new FaultError('input', 'From here it has to be started by hand.')
        return { url: await startOther(add) }
      },
    },
    stop: files.stop,
  }
}
