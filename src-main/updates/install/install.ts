import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Log } from '../../ports.ts'
import { assertDownloaded, type Engine } from '../release/engine.ts'
import { triedMessage } from '../state-machine.ts'
import { trySave } from './pending-update.ts'
import { isSameFeed } from '../effective-feed.ts'
import type { Feed, PendingUpdateStore } from '../ports.ts'
import { notInstalledMessage } from '../messages.ts'

export interface InstallDeps {
  pendingStore: PendingUpdateStore
  /** The running version. */
  version: string
  /** The feed in effect. */
  feed: Feed
  /** Leaves the update to a later start, because the user does not wait for it, or for something else. */
  postpone: boolean
  engine: Engine
  clock: Clock
  log: Log
}

/**
 * `restarting`: the application is ending, and the new version starts. Otherwise the start continues; `failure` is a
 * sentence, or ''.
 */
export interface Installed {
  restarting: boolean
  failure: string
}

const continued: Installed = { restarting: false, failure: '' }
/** Longest wait for an installation, ms: Linux asks for a password, macOS unpacks and verifies the signature. */
const installTimeoutMs = 3 * 60_000

/**
 * Installs a downloaded update at a start, before the profile is opened. Records the attempt first, so that a failing
 * version is tried once and not at every start.
 */
export async function installPending({
  pendingStore,
  version,
  feed,
  postpone,
  engine,
  clock,
  log,
}: InstallDeps): Promise<Installed> {
  const pending = pendingStore.read()
  if (pending === null) return continued
  const { offer, tried } = pending
  if (offer.release.version === version) {
    log('info', `updates: ${version} is in place`)
    trySave(pendingStore, null, log)
    return continued
  }
  if (!isSameFeed(offer.feed, feed)) {
    log('info', `updates: ${offer.release.version} is dropped: it is from another feed or channel than the present one`)
    trySave(pendingStore, null, log)
    return continued
  }
  // A newer version was installed by hand, or this one no longer fits the system.
  const isAccepted = await engine.accepts(offer.release, offer.feed.url).catch(() => true)
  if (!isAccepted) {
    trySave(pendingStore, null, log)
    return continued
  }
  if (tried) return { restarting: false, failure: triedMessage }
  if (postpone) return continued
  try {
    await assertDownloaded(engine, offer).catch((thrown: unknown) => {
      trySave(pendingStore, null, log)
      throw thrown
    })
    // Without the record, each start would try it again.
    if (!trySave(pendingStore, { offer, tried: true }, log))
      throw new FaultError('storage', 'the attempt cannot be recorded')
    log('info', `updates: ${offer.release.version} is installed in the place of ${version}`)
    await withTimeout(clock, (timeout) => engine.install(timeout))
    return { restarting: true, failure: '' }
  } catch (thrown) {
    const failure = notInstalledMessage(offer.release.version, thrown)
    log('warn', `updates: ${failure}`)
    return { restarting: false, failure }
  }
}

async function withTimeout(clock: Clock, install: (timeout: AbortSignal) => Promise<void>): Promise<void> {
  const timeout = new AbortController()
  const cancel = clock.after(installTimeoutMs, () =>
    timeout.abort(new FaultError('update', 'the installer did not begin in time')),
  )
  try {
    await install(timeout.signal)
  } finally {
    cancel()
  }
}
