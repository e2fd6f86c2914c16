import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Log } from '../../ports.ts'
import { assertHeld, type Engine } from '../release/engine.ts'
import { triedWords } from '../state-machine.ts'
import { trySave } from './pending-update.ts'
import { isSameFeed } from '../effective-feed.ts'
import type { Feed, PendingUpdateStore } from '../ports.ts'
import { notInstalled } from '../messages.ts'

export interface InstallDeps {
  keep: PendingUpdateStore
  /** The running version. */
  version: string
  /** The feed in effect. */
  feed: Feed
  /** Leaves the update to a later start, because the user does not wait for it, or for something else. */
  waits: boolean
  engine: Engine
  clock: Clock
  log: Log
}

/**
 * `going`: the application is ending, and the new version starts. Otherwise the start continues; `failure` is a
 * sentence, or ''.
 */
export interface Installed {
  going: boolean
  failure: string
}

const goesOn: Installed = { going: false, failure: '' }
/** Longest wait for an installation, ms: Linux asks for a password, macOS unpacks and verifies the signature. */
const patience = 3 * 60_000

/**
 * Installs a downloaded update at a start, before the profile is opened. Records the attempt first, so that a failing
 * version is tried once and not at every start.
 */
export async function installKept({ keep, version, feed, waits, engine, clock, log }: InstallDeps): Promise<Installed> {
  const kept = keep.read()
  if (kept === null) return goesOn
  const { offer, tried } = kept
  if (offer.release.version === version) {
    log('info', `updates: ${version} is in place`)
    trySave(keep, null, log)
    return goesOn
  }
  if (!isSameFeed(offer.feed, feed)) {
    log(
      'info',
      `updates: ${offer.release.version} is dropped: it is from another feed or channel than the one that holds now`,
    )
    trySave(keep, null, log)
    return goesOn
  }
  // A newer version was installed by hand, or this one no longer fits the system.
  const wanted = await engine.accepts(offer.release, offer.feed.url).catch(() => true)
  if (!wanted) {
    trySave(keep, null, log)
    return goesOn
  }
  if (tried) return { going: false, failure: triedWords }
  if (waits) return goesOn
  try {
    await assertHeld(engine, offer).catch((thrown: unknown) => {
      trySave(keep, null, log)
      throw thrown
    })
    // Without the record, each start would try it again.
    if (!trySave(keep, { offer, tried: true }, log)) throw new FaultError('storage', 'that it is tried cannot be noted')
    log('info', `updates: ${offer.release.version} is installed in the place of ${version}`)
    await inTime(clock, (late) => engine.install(late))
    return { going: true, failure: '' }
  } catch (thrown) {
    const failure = notInstalled(offer.release.version, thrown)
    log('warn', `updates: ${failure}`)
    return { going: false, failure }
  }
}

async function inTime(clock: Clock, install: (late: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController()
  const cancel = clock.after(patience, () =>
    late.abort(new FaultError('update', 'the installer did not begin in time')),
  )
  try {
    await install(late.signal)
  } finally {
    cancel()
  }
}
