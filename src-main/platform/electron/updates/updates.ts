import { app } from 'electron'
import { systemClock } from '../../../../src-shared/lib/clock.ts'
import { defaultSettings } from '../../../../src-shared/model/settings.ts'
import { restartFlags } from '../../desktop/links/deep-links.ts'
import type { Log, Network } from '../../../ports.ts'
import { readSettings } from '../../../settings/settings.ts'
import type { StartArgs } from '../../shared/args.ts'
import { readBuild } from '../../shared/build-facts.ts'
import { settingsIn } from '../../shared/profile.ts'
import { createUpdater } from '../../../updates/release/engine.ts'
import { effectiveFeed } from '../../../updates/effective-feed.ts'
import { installPending } from '../../../updates/install/install.ts'
import { openPendingUpdate, trySave } from '../../../updates/install/pending-update.ts'
import { copyOf, disabledReason } from '../../../updates/disabled.ts'
import { packageFacts, type PackageFacts } from '../../../updates/release/package-kind.ts'
import { policyFile, readPolicy } from '../../../updates/policy.ts'
import type { UpdateEnvironment } from '../../../updates/ports.ts'
import { openEngine } from './updater.ts'
import { version } from '../../../../package.json' with { type: 'json' }

export interface ReadyUpdates {
  /** True when the application is ending, and a newer one starts. */
  restarting: boolean
  /** Returns the environment of updates in this run. */
  environment(network: Network): UpdateEnvironment
}

export interface StartFacts {
  args: StartArgs
  profile: string
  log: Log
  /** Leaves a pending update to another start. */
  postpone: boolean
}

const fromSources: PackageFacts = { kind: null, missing: 'package', feed: '', publishers: [] }

/** Installs what an earlier run has downloaded, before the profile is opened. */
export async function readyUpdates({ args, profile, log, postpone }: StartFacts): Promise<ReadyUpdates> {
  const { resourcesPath: resources, platform, arch, env } = process
  const { kind, missing, feed, publishers } = app.isPackaged
    ? await packageFacts(platform, resources, env)
    : fromSources
  const file = policyFile(platform)
  const read = readPolicy(file)
  const facts = { packaged: app.isPackaged, signed: app.isPackaged && readBuild(resources).signed }
  const copy = copyOf(facts, kind, file, read)
  const pendingStore = openPendingUpdate(profile)
  const off = disabledReason({ ...facts, missing, kind, apart: args.demo || args.profile !== null }, read)
  if (off !== null || kind === null || kind === 'deb' || kind === 'rpm' || read.policy === null) {
    trySave(pendingStore, null, log)
    return { restarting: false, environment: () => ({ copy, off: off ?? { reason: 'package', detail: '' } }) }
  }
  const { policy } = read
  const engine = openEngine({ app, version, publishers, kind, profile, flags: restartFlags(process.argv.slice(1)) })
  const stored = settingsIn(profile)
  const currentFeed = effectiveFeed(
    readSettings({ get: (key) => stored[key] }, defaultSettings(false)).settings,
    policy,
    feed,
  ).feed
  const { restarting, failure } = await installPending({
    pendingStore,
    version,
    feed: currentFeed,
    postpone,
    engine,
    clock: systemClock,
    log,
  })
  return {
    restarting,
    environment: (network) => ({
      copy,
      off: null,
      policy,
      feed,
      pendingStore,
      failure,
      updater: createUpdater({ engine, network, clock: systemClock, platform, arch }),
    }),
  }
}
