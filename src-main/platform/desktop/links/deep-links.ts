import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { linkLimit, linkScheme, printLink } from '../../../../src-shared/navigation/link.ts'
import type { Core } from '../../../core.ts'
import type { Log } from '../../../ports.ts'
import { knownFlags, readArgs, type StartArgs } from '../../shared/args.ts'

/** How the desktop application was started. */
export interface Start {
  args: StartArgs
  /** The argument to open; it is checked later whether it is a valid link. */
  link: string | null
  /** True for a start by the system at login, when no window is expected. */
  quiet: boolean
}

const isLink = (text: string): boolean => text.toLowerCase().startsWith(`${linkScheme}:`)

/**
 * Reads the command line (without program and script). Arguments behind `--` are no flags: the system puts links there,
 * which come from anywhere. `packaged`: the demo needs its flag, and unknown flags are Chromium's.
 */
export function readStart(argv: readonly string[], packaged: boolean): Start {
  const end = argv.indexOf('--')
  const flags = (end === -1 ? argv : argv.slice(0, end)).filter((each) => !isLink(each))
  const others = flags.filter((each) => each !== '--hidden' && each !== '--demo')
  const own = packaged ? knownFlags(others) : others
  const args = readArgs(packaged && !flags.includes('--demo') ? [...own, '--no-demo'] : own)
  return {
    args,
    link: argv.find(isLink)?.slice(0, linkLimit + 1) ?? (args.wall ? printLink({ to: 'wall' }) : null),
    quiet: flags.includes('--hidden'),
  }
}

/**
 * Returns the flags for a restart by Muster itself: without links, and without those for one start, because the user
 * expects a window.
 */
export function restartFlags(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).filter((each) => !isLink(each) && !singleStartFlags.includes(each))
}

/** Flags for one start; the last two belong to the Windows installer and to the AppImage. */
const singleStartFlags = ['--hidden', '--updated', '--appimage-extract-and-run']

/** The message of a second start to the first one. */
export type SecondStart = Pick<Start, 'link' | 'quiet'>

/** Reads the message of the other process, which is untrusted. */
export function readSecondStart(message: unknown): SecondStart {
  const { link, quiet } = typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {}
  return { link: typeof link === 'string' ? link.slice(0, linkLimit + 1) : null, quiet: quiet === true }
}

/** Opens links and raises the window; opening a link raises it too. */
export interface LinkOpener {
  open(link: string): void
  raise(): void
}

/** Links and further starts in order; the first may arrive before there is a window. */
export interface DeepLinks {
  receive(start: SecondStart): void
  /** Returns whether a link waits to be opened. */
  hasLink(): boolean
  /** Passes on each from now on, and the last link and start from before. */
  follow(opener: LinkOpener): void
}

export function createDeepLinks(): DeepLinks {
  let waiting: { link: string | null; raised: boolean } = { link: null, raised: false }
  let connected: LinkOpener | null = null
  return {
    receive({ link, quiet }) {
      if (connected === null) waiting = { link: link ?? waiting.link, raised: waiting.raised || !quiet }
      else if (link !== null) connected.open(link)
      else if (!quiet) connected.raise()
    },
    hasLink: () => waiting.link !== null,
    follow(opener) {
      connected = opener
      const { link, raised } = waiting
      waiting = { link: null, raised: false }
      if (link !== null) opener.open(link)
      else if (raised) opener.raise()
    },
  }
}

export interface LinkOpenerOptions {
  core: Pick<Core, 'handlers'>
  raise(): void
  open(what: EventData<'open'>): void
  log: Log
}

/** Returns a function that raises the window and opens a link's target; the window itself reports an invalid link. */
export function createLinkOpener({ core, raise, open, log }: LinkOpenerOptions): (link: string) => void {
  return (link) => {
    raise()
    core.handlers['links.read']({ link })
      .then(({ open: what }) => {
        if (what !== null) open(what)
      })
      .catch(() => log('warn', 'a link could not be read'))
  }
}
