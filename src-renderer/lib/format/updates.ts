import type { Off, Update, UpdateState } from '../../../src-shared/model/updates.ts'
import { numberText } from './numbers.ts'

/** Returns why there are no updates, in whole sentences. */
export function disabledText({ reason, detail }: Off): string {
  switch (reason) {
    case 'web':
      return 'Updates are for the installed application. What you see in a browser is as new as the Muster that serves it.'
    case 'development':
      return 'Updates are for the installed application. This Muster runs from its sources.'
    case 'unsigned':
      return 'This copy of Muster is not signed, and such a copy does not renew itself. Install a newer version by hand.'
    case 'package':
      return 'This copy of Muster cannot be renewed: it was unpacked and not installed, or made without a feed and so does not know what it was installed by. Install a newer version by hand.'
    case 'publisher':
      return 'This copy of Muster names no publisher of its installers, because it was made without a feed: nothing could prove that an update comes from the same maker. Install a newer version by hand.'
    case 'package-manager':
      return `This copy was installed as a ${detail} package, and your package manager renews it: install the newer ${detail} there. Muster does not install packages as root by itself.`
    case 'apart':
      return 'This Muster shows the demo, or was started with a profile of its own. The one that starts with neither looks for updates.'
    case 'policy':
      return 'Your organisation has switched updates off on this computer.'
    case 'policy-unread':
      return `Updates are off: your organisation’s policy cannot be read (${detail}). Contact your administrator.`
    case 'no-feed':
      return 'No feed is set, so Muster does not look for updates.'
    default:
      return reason satisfies never
  }
}

/** Returns the state as a heading. */
export function updateHead(now: UpdateState, version: string): string {
  switch (now.is) {
    case 'off':
      return 'Updates are off'
    case 'idle':
      return now.checkedAt === null ? `Muster ${version}` : `Muster ${version} is the newest`
    case 'checking':
      return 'Checking for updates'
    case 'available':
      return `Muster ${now.update.version} is available`
    case 'downloading':
      return `Muster ${now.update.version} is being downloaded`
    case 'ready':
      return `Muster ${now.update.version} is ready`
    case 'failed':
      return {
        check: 'Update check failed',
        download: 'The download failed',
        install: 'The update was not installed',
      }[now.what]
    default:
      return now satisfies never
  }
}

/** Returns the details of the state. */
export function updateText(now: UpdateState): string {
  switch (now.is) {
    case 'off':
      return disabledText(now)
    case 'idle':
      return now.checkedAt === null ? 'Not checked since startup.' : 'The feed has nothing newer.'
    case 'checking':
      return now.pending === 'ready' && now.update !== null ? `Muster ${now.update.version} is still ready.` : ''
    case 'available':
      return `Muster downloads it when you confirm. ${sizeText(now.update)}`.trim()
    case 'downloading':
      return transferredText(now.transferred, now.update)
    case 'ready':
      return 'It is installed when you next start Muster yourself: not when you quit, not by the start at login and not by a link. You can also restart now.'
    case 'failed':
      return now.pending === 'ready' && now.update !== null
        ? `${now.words} Muster ${now.update.version} is still ready.`
        : now.words
    default:
      return now satisfies never
  }
}

/** Returns the line of the status bar; '' when nothing waits for the operator. */
export function updateLine(now: UpdateState): string {
  if (now.is === 'available' || now.is === 'ready') return updateHead(now, '')
  return now.is === 'failed' && now.what === 'install' ? 'Update not installed' : ''
}

const megabytes = (bytes: number) =>
  bytes < 100_000_000 ? (bytes / 1_000_000).toFixed(1) : numberText(Math.round(bytes / 1_000_000))

export function sizeText({ size }: Update): string {
  return size === null ? '' : `The download has ${megabytes(size)} MB.`
}

function transferredText(bytes: number, { size }: Update): string {
  return size === null ? `${megabytes(bytes)} MB so far.` : `${megabytes(bytes)} of ${megabytes(size)} MB.`
}

/** Returns the available actions, in the order in which they are offered. */
export function updateActions(now: UpdateState): readonly ('apply' | 'download' | 'check')[] {
  if (now.is === 'off' || now.is === 'downloading') return []
  const pending = now.is === 'ready' || ((now.is === 'checking' || now.is === 'failed') && now.pending !== 'none')
  const found = now.is === 'available' || (now.is === 'failed' && now.update !== null && !pending)
  return [
    ...(pending ? ['apply' as const] : []),
    ...(found ? ['download' as const] : []),
    ...(now.is === 'checking' ? [] : ['check' as const]),
  ]
}

export const actionLabels = { apply: 'Restart and update', download: 'Download', check: 'Check for updates' } as const
