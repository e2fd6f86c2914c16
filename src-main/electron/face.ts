import type { EventData } from '../../src-shared/contract.ts'
import type { Counts } from '../../src-shared/model.ts'

/** All that the tray, the badge and the window's icon tell of; a state has one owner, and these are functions of it. */
export interface Situation {
  totals: Counts
  connections: EventData<'connections'>
  /** Tellings of devices that went offline since the operator last looked at the window. */
  unseen: number
  pausedUntil: number | null
}

/** `blind`: nothing can be seen now. `alert`: something went offline that nobody has looked at. */
export type Face = 'idle' | 'alert' | 'blind'

/** Paused connections are not looked at, so they blind nobody. */
export function faceOf({ connections, unseen }: Situation): Face {
  const watched = connections.filter(({ paused }) => !paused)
  const seen = watched.some(({ link }) => link.state === 'live' || link.state === 'readings-only')
  if (watched.length > 0 && !seen) return 'blind'
  return unseen > 0 ? 'alert' : 'idle'
}

/** What stands at the tray's image: "Muster: 12 offline, 2,980 online, 8 unknown". */
export function wordsOf(situation: Situation): string {
  const { connected, disconnected, unknown } = situation.totals
  const counts = `${figure(disconnected)} offline, ${figure(connected)} online, ${figure(unknown)} unknown`
  if (faceOf(situation) === 'blind') return `Muster cannot see the devices now: ${counts}`
  return `Muster: ${counts}`
}

/** "38 of 40 connections live"; null where there is nothing to tell. */
export function linksOf({ connections }: Situation): string | null {
  const watched = connections.filter(({ paused }) => !paused)
  const live = watched.filter(({ link }) => link.state === 'live').length
  return watched.length === 0 ? null : `${live} of ${watched.length} ${watched.length === 1 ? 'connection' : 'connections'} live`
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}
