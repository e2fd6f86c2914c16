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
import { installKept } from '../../../updates/install/install.ts'
import { openPendingUpdate, trySave } from '../../../updates/install/pending-update.ts'
import { copyOf, whyDisabled } from '../../../updates/disabled.ts'
import { packageFacts, type PackageFacts } from '../../../updates/release/package-kind.ts'
import { policyFile, readPolicy } from '../../../updates/policy.ts'
import type { UpdateEnvironment } from '../../../updates/ports.ts'
import { openEngine } from './updater.ts'
import { version } from '../../../../package.json' with { type: 'json' }

export interface ReadyUpdates {
  /** True when the application is ending, and a newer one starts. */
  going: boolean
  /** Returns the environment of updates in this run. */
  ground(network: Network): UpdateEnvironment
}

export interface StartFacts {
  args: StartArgs
  profile: string
  log: Log
  /** Leaves a pending update to another start. */
  waits: boolean
}

const fromSources: PackageFacts = { kind: null, lacks: 'package', feed: '', publishers: [] }

/** Installs what an earlier run has downloaded, before the profile is opened. */
export async function readyUpdates({ args, profile, log, waits }: StartFacts): Promise<ReadyUpdates> {
  const { resourcesPath: resources, platform, arch, env } = process
  const { kind, lacks, feed, publishers } = app.isPackaged ? await packageFacts(platform, resources, env) : fromSources
  const file = policyFile(platform)
  const read = readPolicy(file)
  const facts = { packaged: app.isPackaged, signed: app.isPackaged && readBuild(resources).signed }
  const copy = copyOf(facts, kind, file, read)
  const keep = openPendingUpdate(profile)
  const off = whyDisabled({ ...facts, lacks, kind, apart: args.demo || args.profile !== null }, read)
  if (off !== null || kind === null || kind === 'deb' || kind === 'rpm' || read.policy === null) {
    trySave(keep, null, log)
    return { going: false, ground: () => ({ copy, off: off ?? { reason: 'package', detail: '' } }) }
  }
  const { policy } = read
  const engine = openEngine({ app, version, publishers, kind, profile, flags: restartFlags(process.argv.slice(1)) })
  const kept = settingsIn(profile)
  const inForce = effectiveFeed(
    readSettings({ get: (key) => kept[key] }, defaultSettings(false)).settings,
    policy,
    feed,
  ).feed
  const { going, failure } = await installKept({ keep, version, feed: inForce, waits, engine, clock: systemClock, log })
  return {
    going,
    ground: (network) => ({
      copy,
      off: null,
      policy,
      feed,
      keep,
      failure,
      updater: createUpdater({ engine, network, clock: systemClock, platform, arch }),
    }),
  }
}
