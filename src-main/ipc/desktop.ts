import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Adding } from '../../src-shared/navigation/screens.ts'
import type { LinkOpening } from '../../src-shared/model/environment.ts'
import { openFileCalls } from './files.ts'

/** Has the desktop open `muster://` links with this very copy of Muster. */
export interface LinkClaim {
  /** Never rejects. */
  state(): Promise<LinkOpening>
  /** Rejects with a fault of kind `file`. */
  set(on: boolean): Promise<LinkOpening>
}

/** What a shell on a desktop can do beside a browser's. */
export interface DesktopAbilities {
  /** Asks the person where a file of this name goes: its path, or null when they called it off. */
  saveAs(name: string): Promise<string | null>
  /** Whether the system can start Muster at login, by the setting. */
  startsAtLogin: boolean
  /** Null where a package has seen to it, or there is no desktop file to be written. */
  links: LinkClaim | null
}

/**
 * From the demo starts Muster for real connections, and the other way, in a process of its own, on the usual profile for that;
 * with this dialog open. Resolves with its address in a browser, null where it opens a window of its own.
 */
export type StartOther = (add: Adding | null) => Promise<string | null>

type DesktopCall = `files.${'begin' | 'write' | 'end'}` | 'start.other' | 'links.opening' | 'links.claim'

/** What a desktop can do for a window, refused in words where there is none. */
export function openDesktopCalls(
  desktop: DesktopAbilities | null,
  startOther: StartOther | null,
  clock: Pick<Clock, 'after'>,
): { handlers: Pick<Handlers, DesktopCall>; stop(): Promise<void> } {
  const files = openFileCalls(desktop && ((name) => desktop.saveAs(name)), clock)
  const links = (): LinkClaim => {
    const claim = desktop?.links ?? null
    if (claim === null) throw new FaultError('input', 'Here it is not for Muster to say who opens its links.')
    return claim
  }
  return {
    handlers: {
      ...files.handlers,
      'links.opening': async () => links().state(),
      'links.claim': async ({ on }) => links().set(on),
      'start.other': async ({ add }) => {
        if (startOther === null) throw new FaultError('input', 'From here it has to be started by hand.')
        return { url: await startOther(add) }
      },
    },
    stop: files.stop,
  }
}
