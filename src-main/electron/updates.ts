import { app } from 'electron'
import { systemClock } from '../../src-shared/clock.ts'
import type { Log, Network } from '../ports.ts'
import { readBuild } from '../shell/build-facts.ts'
import { createUpdater } from '../updates/engine.ts'
import { installKept } from '../updates/install.ts'
import { keepIn, tryKeep } from '../updates/keep.ts'
import { whyOff } from '../updates/off.ts'
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

const fromSources: PackageFacts = { kind: null, feed: '', publishers: [] }

/** Installs what an earlier run has downloaded, before anything of the profile is opened. */
export async function readyUpdates({ profile, log }: { profile: string; log: Log }): Promise<ReadyUpdates> {
  const { resourcesPath: resources, platform, arch, env } = process
  const { kind, feed, publishers } = app.isPackaged ? await packageFacts(platform, resources, env) : fromSources
  const read = readPolicy(policyFile(platform, env))
  const keep = keepIn(profile)
  const off = whyOff({ packaged: app.isPackaged, signed: app.isPackaged && readBuild(resources).signed, renewable: kind !== null }, read)
  if (off !== null || kind === null || read.policy === null) {
    tryKeep(keep, null, log)
    return { going: false, ground: () => ({ off: off ?? { reason: 'package', detail: '' } }) }
  }
  const { policy } = read
  const engine = openEngine({ app, version, publishers, kind, profile })
  const { going, failure } = await installKept({ keep, version, engine, clock: systemClock, log })
  return { going, ground: (network) => ({ off: null, policy, feed, keep, failure, updater: createUpdater({ engine, network, clock: systemClock, platform, arch }) }) }
}
