import { explain } from '../../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { isFaulty, worstFault } from '../../lib/format/faults.ts'

/** A line of the list: a connection, or a group of connections with the same error. */
export type Line =
  | { kind: 'connection'; id: string; connection: ConnectionState; inGroup: boolean }
  | { kind: 'group'; id: string; title: string; advice: string; members: readonly ConnectionState[]; open: boolean }

/** The minimum number of connections in a group. */
const minMembers = 3

/**
 * Returns the lines of connections in order. Connections with the same error are a group in the place of the first of
 * them. `open`: ids of the expanded groups.
 */
export function grouped(connections: readonly ConnectionState[], open: readonly string[]): Line[] {
  const causes = Map.groupBy(connections, causeOf)
  const grouped = new Set<string>()
  return connections.flatMap((connection): Line[] => {
    const cause = causeOf(connection)
    const members = causes.get(cause) ?? []
    if (cause === '' || members.length < minMembers)
      return [{ kind: 'connection', id: connection.id, connection, inGroup: false }]
    if (grouped.has(cause)) return []
    grouped.add(cause)
    const { title, advice } = words(connection)
    const id = `group:${cause}`
    const isOpen = open.includes(id)
    const below = isOpen
      ? members.map((member): Line => ({ kind: 'connection', id: member.id, connection: member, inGroup: true }))
      : []
    return [{ kind: 'group', id, title, advice, members, open: isOpen }, ...below]
  })
}

/** Returns the key of a connection's error; '' without one. */
function causeOf(connection: ConnectionState): string {
  const worst = worstFault(connection)
  if (worst !== null) return `${worst.kind}:${explain(worst).title}`
  return isFaulty(connection) && connection.secret === 'missing' ? 'no-secret' : ''
}

function words(connection: ConnectionState): { title: string; advice: string } {
  return explain(worstFault(connection) ?? { kind: 'no-secret', detail: '' })
}
