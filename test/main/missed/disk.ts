import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeStore, openStore, type Store } from '../../../src-main/inventory/store.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'

/** A profile's folder over the lives of a console. */
export interface Disk {
  readonly profile: string
  /** Whether the files take what is written. */
  journal: 'takes' | 'full'
  cache: 'takes' | 'full'
  /** Opens the files; `crossing` is called before and after each commit of theirs. */
  open(crossing: (where: string) => void, now: number): Store
  /** After a death. `power`: the cache, which does not wait for the disk, is as it was when it was opened last. */
  lose(what: 'nothing' | 'power' | 'cache'): void
  remove(): void
}

/** In memory where there is such a folder: the journal waits for the disk at each commit. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Empty files, made once: a world is begun a hundred times faster. */
export function template(): { profile: string; remove: () => void } {
  const profile = mkdtempSync(path.join(place, 'muster-missed-'))
  closeStore(openStore(profile, 1, 0))
  return { profile, remove: () => rmSync(profile, { recursive: true, force: true }) }
}

export function newDisk(from: string): Disk {
  const folder = mkdtempSync(path.join(place, 'muster-missed-'))
  const profile = path.join(folder, 'profile')
  const [cache, earlier] = [path.join(profile, 'cache.db'), path.join(folder, 'earlier.db')]
  mkdirSync(profile)
  for (const name of ['cache.db', 'journal.db']) copyFileSync(path.join(from, name), path.join(profile, name))
  const disk: Disk = {
    profile,
    journal: 'takes',
    cache: 'takes',
    open(crossing, now) {
      // Whoever closed it last has left one file.
      if (existsSync(cache)) copyFileSync(cache, earlier)
      return guarded(openStore(profile, 1, now), disk, crossing)
    },
    lose(what) {
      if (what === 'nothing') return
      rmSync(cache, { force: true })
      if (what === 'power' && existsSync(earlier)) copyFileSync(earlier, cache)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  return disk
}

function guarded(store: Store, disk: Disk, crossing: (where: string) => void): Store {
  const { journal, cache } = store
  const write = <T>(where: 'journal' | 'cache', run: () => T): T => {
    crossing(`before the ${where}`)
    if (disk[where] === 'full') throw new FaultError('storage', 'the disk is full')
    const written = run()
    crossing(`after the ${where}`)
    return written
  }
  return {
    ...store,
    journal: { ...journal, enter: (entries) => write('journal', () => journal.enter(entries)) },
    cache: { ...cache, write: (sequence, run) => write('cache', () => cache.write(sequence, run)) },
  }
}
