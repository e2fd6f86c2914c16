import { openAccessStore } from '../access/access-store.ts'
import type { AccessStore } from '../access/access-store.ts'
import {
  DataFolderError,
  lockFolder,
  openDataFolder,
  privateFile,
  rejectLost,
  withDatabase,
  WORLD_FILE,
} from './data-folder.ts'
import { startReboots } from '../world/life/reboots.ts'
import type { RebootOptions } from '../world/life/reboot-outcomes.ts'
import type { Reboots } from '../world/life/reboots.ts'
import { createWorld, OtherWorldError } from '../world/world.ts'
import type { World, WorldOptions } from '../world/world.ts'

/** The data of a service: of a data folder, or in memory while it runs. */
export type State = {
  /** Null in memory. */
  access: AccessStore | null
  /** The data folder's path; null in memory. */
  folder: string | null
  world: World
  reboots: Reboots
  close(): void
}

/** Opens the state. Throws a DataFolderError for a folder in use by another service, or with another world. */
export function openState(data: string | null, options: WorldOptions, rebooting: RebootOptions = {}): State {
  const withReboots = (parts: Opened, unlock: () => void) => rebootable(parts, unlock, options.now, rebooting)
  if (data === null) return withReboots({ access: null, folder: null, world: createWorld(options) }, () => undefined)
  const folder = openDataFolder(data, { make: true })
  const access = openAccessStore(folder, { make: true })
  const unlock = lockFolder(folder, () => access.close())
  try {
    rejectLost(folder, WORLD_FILE)
    const file = privateFile(folder, WORLD_FILE)
    const world = withDatabase(folder, WORLD_FILE, () => createWorld({ ...options, file }))
    return withReboots({ access, folder, world }, unlock)
  } catch (error) {
    unlock()
    access.close()
    throw error instanceof OtherWorldError ? new DataFolderError(`${folder}: ${error.message}`) : error
  }
}

type Opened = Pick<State, 'access' | 'folder' | 'world'>

function rebootable(
  { access, folder, world }: Opened,
  unlock: () => void,
  now: () => number,
  options: RebootOptions,
): State {
  const reboots = startReboots({ world, seed: world.size.seed, now, options })
  return {
    access,
    folder,
    world,
    reboots,
    close() {
      reboots.stop()
      world.close()
      access?.close()
      unlock()
    },
  }
}
