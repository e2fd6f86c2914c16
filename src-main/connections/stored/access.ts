import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { datedAccess, type Access, type DatedAccess } from '../../../src-shared/model/access.ts'
import type { Log, Settings } from '../../ports.ts'
import { startDeferredWrite } from './deferred-write.ts'

/** The role and scope of each connection's credential set, as last told, stored over a restart. */
export interface AccessStore {
  /** Returns what is known of a connection that uses this credential set; undefined where nothing is. */
  of(connection: string, set: string): DatedAccess | undefined
  /** Stores what the service told. A partial answer does not replace what is known. */
  note(connection: string, set: string, access: Access, partial: boolean): void
  forget(connections: readonly string[]): void
  /** Writes pending changes. Nothing is recorded afterwards. */
  stop(): void
}

const settingsKey = 'access'
/** Another credential set of the connection has another role. */
const entry = datedAccess.extend({ set: z.string() })
const stored = z.record(z.string(), z.unknown()).catch({})
/** Delay of a write, ms: forty connections are told theirs within seconds. */
const writeDelayMs = 3_000

export function openAccessStore(
  settings: Settings,
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>,
  log: Log,
): AccessStore {
  const known = new Map(
    Object.entries(stored.parse(settings.get(settingsKey) ?? {})).flatMap(([connection, value]) => {
      const read = entry.safeParse(value)
      return read.success ? [[connection, read.data] as const] : []
    }),
  )
  const write = startDeferredWrite({
    settings,
    clock,
    log,
    key: settingsKey,
    value: () => Object.fromEntries(known),
    unwritten: 'the role of a credential set could not be stored',
  })
  const of = (connection: string, set: string): DatedAccess | undefined => {
    const found = known.get(connection)
    if (found?.set !== set) return undefined
    const { set: _set, ...shown } = found
    return shown
  }
  return {
    of,
    note(connection, set, access, partial) {
      if (partial && of(connection, set) !== undefined) return
      known.set(connection, { ...access, set, readAt: clock.now() })
      write.within(writeDelayMs)
    },
    forget(connections) {
      if (connections.filter((connection) => known.delete(connection)).length > 0) write.now()
    },
    stop: write.stop,
  }
}
