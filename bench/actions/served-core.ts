import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Core } from '../../src-main/core.ts'
import { startServer } from '../../src-main/platform/web/server.ts'
import { openSessions } from '../../src-main/platform/web/sign-in/sessions.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import type { NamedRef } from '../../src-shared/model/inventory.ts'
import type { Addresses } from '../support/reference.ts'
import { forkVerbs, serveVerbs, type Forked } from '../support/verbs.ts'
import { openCore } from '../support/web-shell.ts'
import { firstSync } from '../sync/core-sync.ts'
import { allByName, armAll, prepareJob } from './run-job.ts'

/** A live core that serves its window, in a process of its own, and renames devices while it is asked to. */
export type ServedCore = Forked<typeof verbs>

export const forkServedCore = (): ServedCore => forkVerbs<typeof verbs>(import.meta.url)

export interface RoomedDevice {
  id: string
  /** Key of its tenant. */
  tenant: string
  site: NamedRef
  room: NamedRef
}

/** Devices of one job. */
const jobSize = 5000

let core: Core
let renaming: Promise<number> | null = null
let halt = new AbortController()

const verbs = {
  /** Reads the fleet, and resolves with the address of the window and the profile's folder. */
  async open(at: Addresses): Promise<{ url: string; profile: string }> {
    const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
    core = await openCore(profile)
    await firstSync(core, at)
    const server = await startServer({
      core,
      clock: systemClock,
      log: () => {},
      window: path.resolve('out/renderer'),
      port: 0,
      token: 'a benchmark gives no second key',
      sessions: openSessions(profile, systemClock),
      onKeyGone: () => {},
    })
    return { url: server.newUrl(), profile }
  },
  /** Returns devices that have a site and a room. */
  async roomed(limit: number): Promise<RoomedDevice[]> {
    const { rows } = await core.handlers['inventory.rows']({ query: allByName, offset: 0, limit })
    return rows.flatMap(({ id, tenant, site, room }) =>
      site === null || room === null ? [] : [{ id, tenant: tenant.key, site, room }],
    )
  },
  /** Begins to rename devices, job after job, until `halt`. */
  rename(): void {
    halt = new AbortController()
    renaming = renameAll(halt.signal)
  },
  /** Resolves with the number of renamed devices when the last job is ended. */
  async halt(): Promise<number> {
    halt.abort()
    return (await renaming) ?? 0
  },
}

async function renameAll(signal: AbortSignal): Promise<number> {
  const { keys } = await core.handlers['inventory.keys']({ query: allByName, offset: 0, limit: jobSize })
  await armAll(core)
  let renamed = 0
  for (let round = 0; !signal.aborted; round += 1) {
    const pattern = `Renamed ${round} {n:4}`
    const start = await prepareJob(core, { kind: 'rename', targets: { keys }, pattern })
    const { counts } = await start()
    if (counts.done !== jobSize) throw new Error(`a job renamed ${counts.done} devices`)
    renamed += counts.done
  }
  return renamed
}

serveVerbs(verbs)
