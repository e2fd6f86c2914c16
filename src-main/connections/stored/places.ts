import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { placeDirectory, type PlaceDirectory } from '../../../src-shared/model/place-directory.ts'
import type { Log, Settings } from '../../ports.ts'
import { startDeferredWrite } from './deferred-write.ts'

/** What each connection has read of its service's accounts, sites and rooms, stored over a restart. */
export interface PlaceDirectoryStore {
  /** Returns what is known of a connection that uses this credential set; undefined where nothing is. */
  of(connection: string, set: string): PlaceDirectory | undefined
  note(connection: string, set: string, directory: PlaceDirectory): void
  forget(connections: readonly string[]): void
  /** Writes pending changes. Nothing is recorded afterwards. */
  stop(): void
}

const settingsKey = 'placeDirectories'
/** Another credential set of the connection may see other places. */
const entry = z.object({ set: z.string(), directory: placeDirectory })
const stored = z.record(z.string(), z.unknown()).catch({})
/** Delay of a write, ms: forty connections read theirs within a minute. */
const writeDelayMs = 3_000

export function openPlaceDirectories(settings: Settings, clock: Clock, log: Log): PlaceDirectoryStore {
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
    unwritten: 'the number of places could not be stored',
  })
  return {
    of(connection, set) {
      const found = known.get(connection)
      return found?.set === set ? found.directory : undefined
    },
    note(connection, set, directory) {
      known.set(connection, { set, directory })
      write.within(writeDelayMs)
    },
    forget(connections) {
      if (connections.filter((connection) => known.delete(connection)).length > 0) write.now()
    },
    stop: write.stop,
  }
}
