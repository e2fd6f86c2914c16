import { app } from 'electron'
import { systemClock } from '../../src-shared/clock.ts'
import { usualSettings } from '../../src-shared/settings.ts'
import { againFlags } from '../desktop/links.ts'
import type { Log, Network } from '../ports.ts'
import { readSettings } from '../settings/settings.ts'
import type { StartArgs } from '../shell/args.ts'
import { readBuild } from '../shell/build-facts.ts'
import { settingsIn } from '../shell/profile.ts'
import { createUpdater } from '../updates/engine.ts'
import { goingBy } from '../updates/going-by.ts'
import { installKept } from '../updates/install.ts'
import { keepIn, tryKeep } from '../updates/keep.ts'
import { copyOf, whyOff } from '../updates/off.ts'
import { packageFacts, type PackageFacts } from '../updates/package-kind.ts'
import { policyFile, readPolicy } from '../updates/policy.ts'
import type { Ground } from '../updates/ports.ts'
import { openEngine } from './updater.ts'
import { version } from '../../package.json' with { type: 'json' }

export interface ReadyUpdates {
  /** The application is ending, and a newer one starts. */
  going: boolean
  /** What there is for updates in this run. */
  ground(network: Network): Ground
}

export interface StartFacts {
  args: StartArgs
  profile: string
  log: Log
  /** What is kept is left for another start. */
  waits: boolean
}

const fromSources: PackageFacts = { kind: null, lacks: 'package', feed: '', publishers: [] }

/** Installs what an earlier run has downloaded, before anything of the profile is opened. */
export async function readyUpdates({ args, profile, log, waits }: StartFacts): Promise<ReadyUpdates> {
  const { resourcesPath: resources, platform, arch, env } = process
  const { kind, lacks, feed, publishers } = app.isPackaged ? await packageFacts(platform, resources, env) : fromSources
  const file = policyFile(platform)
  const read = readPolicy(file)
  const facts = { packaged: app.isPackaged, signed: app.isPackaged && readBuild(resources).signed }
  const copy = copyOf(facts, kind, file, read)
  const keep = keepIn(profile)
  const off = whyOff({ ...facts, lacks, kind, apart: args.demo || args.profile !== null }, read)
  if (off !== null || kind === null || kind === 'deb' || kind === 'rpm' || read.policy === null) {
    tryKeep(keep, null, log)
    return { going: false, ground: () => ({ copy, off: off ?? { reason: 'package', detail: '' } }) }
  }
  const { policy } = read
  const engine = openEngine({ app, version, publishers, kind, profile, flags: againFlags(process.argv.slice(1)) })
  const kept = settingsIn(profile)
  const inForce = goingBy(readSettings({ get: (key) => kept[key] }, usualSettings(false)).settings, policy, feed).feed
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
