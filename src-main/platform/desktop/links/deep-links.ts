import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { linkLimit, linkScheme } from '../../../../src-shared/navigation/link.ts'
import type { Core } from '../../../core.ts'
import type { Log } from '../../../ports.ts'
import { knownFlags, readArgs, type StartArgs } from '../../shared/args.ts'

/** How the desktop application was started. */
export interface Start {
  args: StartArgs
  /** What somebody wants opened; whether it is a link of Muster's is found out later. */
  link: string | null
  /** By the system at login: nobody waits for a window. */
  quiet: boolean
}

const isLink = (text: string): boolean => text.toLowerCase().startsWith(`${linkScheme}:`)

/**
 * Reads the command line (without program and script). Whatever stands behind `--` is no flag: the system puts links there,
 * and those come from anywhere. `packaged`: the demo has to be asked for, and flags that are not ours are Chromium's.
 */
export function readStart(argv: readonly string[], packaged: boolean): Start {
  const end = argv.indexOf('--')
  const flags = (end === -1 ? argv : argv.slice(0, end)).filter((each) => !isLink(each))
  const others = flags.filter((each) => each !== '--hidden' && each !== '--demo')
  const own = packaged ? knownFlags(others) : others
  return {
    args: readArgs(packaged && !flags.includes('--demo') ? [...own, '--no-demo'] : own),
    link: argv.find(isLink)?.slice(0, linkLimit + 1) ?? null,
    quiet: flags.includes('--hidden'),
  }
}

/** Of a command line what holds for a start by Muster itself: whoever asked for it waits for a window, and no link is opened twice. */
export function restartFlags(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).filter((each) => !isLink(each) && !ofOneStart.includes(each))
}

/** The last two are Windows' installer's and the AppImage's own. */
const ofOneStart = ['--hidden', '--updated', '--appimage-extract-and-run']

/** What a second start tells the first one. */
export type Second = Pick<Start, 'link' | 'quiet'>

/** As it came from the other process: whatever it is, it is read as no more than this. */
export function readSecond(told: unknown): Second {
  const { link, quiet } = typeof told === 'object' && told !== null ? (told as Record<string, unknown>) : {}
  return { link: typeof link === 'string' ? link.slice(0, linkLimit + 1) : null, quiet: quiet === true }
}

/** What shows them: a link raises the window, too. */
export interface Shows {
  open(link: string): void
  raise(): void
}

/** Links and further starts as they come; the first ones may come before there is anything to show them. */
export interface DeepLinks {
  take(arrived: Second): void
  /** A link has come that nobody has opened yet. */
  linkWaits(): boolean
  /** Shows each from now on, and the last link and the last start that came before. */
  follow(shows: Shows): void
}

export function createDeepLinks(): DeepLinks {
  let waiting: { link: string | null; raised: boolean } = { link: null, raised: false }
  let shown: Shows | null = null
  return {
    take({ link, quiet }) {
      if (shown === null) waiting = { link: link ?? waiting.link, raised: waiting.raised || !quiet }
      else if (link !== null) shown.open(link)
      else if (!quiet) shown.raise()
    },
    linkWaits: () => waiting.link !== null,
    follow(shows) {
      shown = shows
      const { link, raised } = waiting
      waiting = { link: null, raised: false }
      if (link !== null) shows.open(link)
      else if (raised) shows.raise()
    },
  }
}

export interface OpeningOptions {
  core: Pick<Core, 'handlers'>
  raise(): void
  open(what: EventData<'open'>): void
  log: Log
}

/** Raises the window and opens there what a link leads to; of one that leads nowhere the window says so itself. */
export function openLinksBy({ core, raise, open, log }: OpeningOptions): (link: string) => void {
  return (link) => {
    raise()
    core.handlers['links.read']({ link })
      .then(({ open: what }) => {
        if (what !== null) open(what)
      })
      .catch(() => log('warn', 'a link could not be read'))
  }
}
