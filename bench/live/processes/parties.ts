import { setTimeout } from 'node:timers/promises'
import type { CallInput } from '../../../src-shared/contract/contract.ts'
import { moment } from '../../support/verbs.ts'
import { forkDrivenCore, type DrivenCore, type NotifiedAt } from './core-process.ts'
import { forkNaiveClient, type NaiveClient } from './naive-process.ts'
import { forkDrivenService, type DrivenService, type ServiceFacts } from './service-process.ts'

/** Service, core and naive client, each in a process of its own; both watch all devices. */
export interface Parties {
  facts: ServiceFacts
  service: DrivenService
  core: DrivenCore
  naive: NaiveClient
  stop(): Promise<void>
}

export async function openParties(
  world: { devices: number; tenants: number; points: boolean },
  settings: CallInput<'settings.change'>,
): Promise<Parties> {
  const [service, core, naive] = [forkDrivenService(), forkDrivenCore(), forkNaiveClient()]
  const stop = async () => void (await Promise.all([core.stop(), naive.stop(), service.stop()]))
  try {
    const facts = await service.ask('start', world)
    await core.ask('open', facts, settings)
    await naive.ask('open', facts)
    return { facts, service, core, naive, stop }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}

/** Resolves with all notifications until none arrives for this many ms. */
export async function untilQuiet(core: DrivenCore, quietMs: number): Promise<NotifiedAt[]> {
  const notified: NotifiedAt[] = []
  for (let last = moment(); moment() - last < quietMs;) {
    await setTimeout(200)
    const taken = await core.ask('take')
    if (taken.notified.length > 0) last = moment()
    notified.push(...taken.notified)
  }
  return notified
}
