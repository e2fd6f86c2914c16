import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { startCore, type Core } from '../../../src-main/core.ts'
import { openProxyLogins } from '../../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import { openSettings } from '../../../src-main/platform/web/settings.ts'
import type { CallInput, EventData } from '../../../src-shared/contract/contract.ts'
import { memoryAddresses, startMemoryService, type MemoryService, type MemoryServiceOptions } from './memory-service.ts'
import { simulatedClock, type SimulatedClock } from './simulated-clock.ts'

/**
 * The whole core, its data thread and files with it, on a simulated clock and a service without a network. It is driven
 * through its ports and heard by its events, and nothing inside of it is known here.
 */
export interface Rig {
  clock: SimulatedClock
  service: MemoryService
  core: Core
  profile: string
  /** Lets so much time pass. Whatever is due runs at its time, and what follows from it is waited for. */
  pass(ms: number): Promise<void>
  /** Waits, in no time, for what is under way. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export interface RigOptions extends Omit<MemoryServiceOptions, 'clock'> {
  /** ms since the epoch. */
  start: number
  settings: CallInput<'settings.change'>
  dataThread: string
  onTell: (told: EventData<'notification'>) => void
}

/** Over when the estate was read and the link is live. */
export async function openRig({ start, settings, dataThread, onTell, ...world }: RigOptions): Promise<Rig> {
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const clock = simulatedClock(start)
  const service = startMemoryService({ ...world, clock })
  const [secrets, kept] = [openMemory('this session only: a benchmark'), openSettings(profile, clock)]
  const core = await startCore(
    {
      network: service.network,
      clock,
      secrets,
      proxies: openProxyLogins({ clock, settings: kept, secrets, env: {} }),
      settings: kept,
      paths: { profile, dataThread },
      log: () => {},
    },
    { shell: 'web', version: 'bench', demo: null },
  )
  const rig: Rig = {
    clock,
    service,
    core,
    profile,
    pass: (ms) => pass(rig, ms),
    settle: () => settle(rig),
    async stop() {
      await stopCore(core, clock)
      service.stop()
      rmSync(profile, { recursive: true, force: true })
    },
  }
  core.on('notification', onTell)
  await core.handlers['settings.change'](settings)
  await core.handlers['connections.save']({ id: null, name: 'bench', subscription: '', portal: '', ...memoryAddresses })
  await untilRead(rig)
  return rig
}

/** Its end may wait for a timer, and then nobody is left to wait for in between. */
async function stopCore(core: Core, clock: SimulatedClock): Promise<void> {
  const ended = new AbortController()
  const stopping = core.stop().finally(() => ended.abort())
  while (!ended.signal.aborted) {
    if (Number.isFinite(clock.nextDue())) clock.pass(clock.nextDue())
    clock.runDue()
    await setImmediate()
  }
  await stopping
}

async function untilRead(rig: Rig): Promise<void> {
  for (let waited = 0; waited < 60; waited += 1) {
    await rig.pass(60_000)
    const [state] = (await rig.core.handlers['app.state']({})).connections
    if (state?.link.state === 'live' && state.sync.state === 'idle' && state.lastReadingAt !== null) return
  }
  throw new Error('the estate was not read within an hour of simulated time')
}

async function pass(rig: Rig, ms: number): Promise<void> {
  const { clock } = rig
  const until = clock.monotonic() + ms
  for (let due = clock.nextDue(); due <= until; due = clock.nextDue()) {
    clock.pass(due)
    while (clock.runDue()) continue
    await settle(rig)
  }
  clock.pass(until)
  await settle(rig)
}

/** As often as what follows from one thing goes to the data thread and back. */
const rounds = 2

/** What a place would cost to read: no question of the window, which would go before others. When the data thread has answered it, it has answered all that was asked before. */
async function settle({ core, service }: Rig): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    while (service.underWay() > 0) await setImmediate()
    await core.handlers['sync.cost']({ scope: 'nowhere' })
    await setImmediate()
  }
}
