import { explain } from '../../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { isFaulty, worstFault } from '../../lib/format/faults.ts'

/** One line of the list: a connection, or those that have the same error. */
export type Line =
  | { kind: 'connection'; id: string; connection: ConnectionState; inGroup: boolean }
  | { kind: 'group'; id: string; title: string; advice: string; members: readonly ConnectionState[]; open: boolean }

/** Fewer with the same error are told one by one. */
const least = 3

/** Connections in their order; those that share an error stand below one line, where the first of them stands. `open`: ids of the groups whose members are listed. */
export function grouped(connections: readonly ConnectionState[], open: readonly string[]): Line[] {
  const causes = Map.groupBy(connections, causeOf)
  const told = new Set<string>()
  return connections.flatMap((connection): Line[] => {
    const cause = causeOf(connection)
    const members = causes.get(cause) ?? []
    if (cause === '' || members.length < least)
      return [{ kind: 'connection', id: connection.id, connection, inGroup: false }]
    if (told.has(cause)) return []
    told.add(cause)
    const { title, advice } = words(connection)
    const id = `group:${cause}`
    const isOpen = open.includes(id)
    const below = isOpen
      ? members.map((member): Line => ({ kind: 'connection', id: member.id, connection: member, inGroup: true }))
      : []
    return [{ kind: 'group', id, title, advice, members, open: isOpen }, ...below]
  })
}

/** Errors of a connection, as far as it tells it from others; "" when nothing does. */
function causeOf(connection: ConnectionState): string {
  const worst = worstFault(connection)
  if (worst !== null) return `${worst.kind}:${explain(worst).title}`
  return isFaulty(connection) && connection.secret === 'missing' ? 'no-secret' : ''
}

function words(connection: ConnectionState): { title: string; advice: string } {
  return explain(worstFault(connection) ?? { kind: 'no-secret', detail: '' })
}
