import { explain } from '../../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { nameText } from '../../../src-shared/text/names.ts'
import { submenu, textItem, type Entry } from './entry.ts'
import { numberText, many } from './status.ts'

/** Number of connections that are listed; the window shows the others. */
const maxNamed = 12

/** Returns "38 of 40 connections live", with the others and their reasons below; nothing without connections. */
export function connectionEntries(connections: readonly ConnectionState[]): Entry[] {
  if (connections.length === 0) return []
  const watched = connections.filter(({ paused }) => !paused)
  const away = watched.filter(({ link }) => link.state !== 'live')
  const paused = connections.length - watched.length
  const label = linksText(watched.length, watched.length - away.length, paused)
  if (away.length === 0) return [textItem('link', label)]
  const left = away.length - maxNamed
  return [
    submenu('link', label, [
      ...away.slice(0, maxNamed).map((one) => textItem(`link ${one.id}`, `${nameText(one.name)}: ${stateText(one)}`)),
      ...(left > 0 ? [textItem('link left', `${numberText(left)} more in Muster`)] : []),
    ]),
  ]
}

function linksText(watched: number, live: number, paused: number): string {
  if (watched === 0) return `${many(paused, 'connection')} paused`
  return `${numberText(live)} of ${many(watched, 'connection')} live${paused === 0 ? '' : `, ${numberText(paused)} paused`}`
}

/** Returns the status and the fault of a connection that is not live. */
function stateText({ link, secret, faults }: ConnectionState): string {
  if (secret === 'missing') return 'waiting for its secret'
  const isFailing = link.state === 'polling' && link.failing !== undefined
  const state = {
    off: 'off',
    connecting: 'connecting',
    live: 'live',
    waiting: 'not connected, retrying',
    polling: isFailing ? 'live stream failing, polling' : 'no live stream, polling',
  }[link.state]
  const [first] = faults
  return first === undefined || (link.state === 'polling' && !isFailing)
    ? state
    : `${state}. ${explain(first.fault).title}`
}
