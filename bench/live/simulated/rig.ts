import { smtpMail } from '../../../src-main/platform/shared/mail.ts'
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
 * The whole core with its data thread and files, on a simulated clock and a service without a network. It is driven
 * through its ports and observed by its events only.
 */
export interface Rig {
  clock: SimulatedClock
  service: MemoryService
  core: Core
  profile: string
  /** Advances the time. Due timers run at their time, and their effects are awaited. */
  pass(ms: number): Promise<void>
  /** Waits for work in progress without advancing the time. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export interface RigOptions extends Omit<MemoryServiceOptions, 'clock'> {
  /** ms since the epoch. */
  start: number
  settings: CallInput<'settings.change'>
  dataThread: string
  onNotification: (notified: EventData<'notification'>) => void
}

/** Resolves when all is synced and the link is live. */
export async function openRig({ start, settings, dataThread, onNotification, ...world }: RigOptions): Promise<Rig> {
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
      mail: smtpMail,
      settings: kept,
      paths: { profile, dataThread, answersThread: path.resolve('src-main/query/answers/thread.ts') },
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
  core.on('notification', onNotification)
  await core.handlers['settings.change'](settings)
  await core.handlers['connections.save']({ id: null, name: 'bench', subscription: '', portal: '', ...memoryAddresses })
  await untilRead(rig)
  return rig
}

/** Stops the core; its end may wait for a timer, so the clock runs on. */
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
  throw new Error('the fleet was not synced within an hour of simulated time')
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

/** Round trips to the data thread that the effects of one event need. */
const rounds = 2

/**
 * Waits for the data thread: the cost of a scope is no query of the window, which would take precedence. Its answer
 * follows all earlier ones.
 */
async function settle({ core, service }: Rig): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    while (service.underWay() > 0) await setImmediate()
    await core.handlers['sync.cost']({ scope: 'nowhere' })
    await setImmediate()
  }
}
