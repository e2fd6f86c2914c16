import type { Log } from '../../../ports.ts'
import type { PreparedRow } from '../assess.ts'
import { readRows, type Deadline } from './read-devices.ts'

/** Largest number of devices of a sheet whose calls are read: each costs points. */
export const maxCallsRead = 500

/**
 * Returns the rows of a reboot with what the service says about calls; a device in a call gets this obstacle. Reads at most
 * `maxCallsRead` devices without an obstacle, until the deadline: the calls of the rest are `unknown`, as are those of
 * a service that does not say, and of a read that failed. Never rejects.
 */
export async function withCalls(
  rows: readonly PreparedRow[],
  options: { log: Log; deadline: Deadline },
): Promise<PreparedRow[]> {
  const asked = rows
    .filter(({ obstacle, sender }) => obstacle === null && sender?.mutations?.offer()?.calls === true)
    .slice(0, maxCallsRead)
  const read = await readRows(asked, options)
  return rows.map((row) => {
    const call = row.obstacle === null ? (read.get(row.key)?.call ?? 'unknown') : 'unknown'
    return { ...row, call, obstacle: call === 'in-call' ? call : row.obstacle }
  })
}
