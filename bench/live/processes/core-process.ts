import { smtpMail } from '../../../src-main/platform/shared/mail.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startCore, type Core } from '../../../src-main/core.ts'
import type { Link, Network, WebSocketClass } from '../../../src-main/ports.ts'
import { openProxyLogins } from '../../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import { openNetwork } from '../../../src-main/platform/web/network/network.ts'
import { openSettings } from '../../../src-main/platform/web/settings.ts'
import type { CallInput, EventData } from '../../../src-shared/contract/contract.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { forkVerbs, moment, serveVerbs, type Forked } from '../../support/verbs.ts'
import { sleepingClock } from './sleeping-clock.ts'
import type { ServiceFacts } from './service-process.ts'
import { peakResident, processorTime, watchedLoop } from './watched-loop.ts'

/** The core in a process of its own, as the web shell starts it, with the moments of its events. */
export type DrivenCore = Forked<ReturnType<typeof openVerbs>>
export const forkDrivenCore = (): DrivenCore => forkVerbs(import.meta.url)

/** A notification call, the core's event `notification`, by the machine's monotonic clock. */
export interface NotifiedAt {
  at: number
  notified: EventData<'notification'>
}

/** The steps of a device's event: its frame arrived, its change was committed and sent to the window. */
export interface Step {
  what: 'frame' | 'committed'
  at: number
  ids: string[]
}

/** Shortest sleep, real ms; callers wake the process later than that. */
const leastSleepMs = 500
/** Most rows in one call's answer. */
const longestWindow = 500

function openVerbs() {
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  process.on('exit', () => rmSync(profile, { recursive: true, force: true }))
  const clock = sleepingClock()
  const notified: NotifiedAt[] = []
  const steps: Step[] = []
  const loop = watchedLoop()
  let last: ConnectionState | null = null
  let core: Core | null = null
  let longestAnswer = 0
  const running = (): Core => {
    if (core === null) throw new Error('the core was not started')
    return core
  }
  return {
    /**
     * Resolves when all is synced, the link is live and no sync runs. `isBuilt`: uses one bundled file, as packages do,
     * and records no steps, of which a flood has too many.
     */
    async open(
      { addresses }: Pick<ServiceFacts, 'addresses'>,
      settings: CallInput<'settings.change'>,
      isBuilt = false,
    ): Promise<void> {
      const bare = openNetwork({})
      const network = isBuilt
        ? bare
        : watchedNetwork(bare, (text) => steps.push({ what: 'frame', at: moment(), ids: idsIn(text) }))
      const [secrets, kept] = [openMemory('this session only: a benchmark'), openSettings(profile, clock)]
      core = await startCore(
        {
          network,
          clock,
          secrets,
          proxies: openProxyLogins({ clock, settings: kept, secrets, env: {} }),
          mail: smtpMail,
          settings: kept,
          paths: {
            profile,
            dataThread: path.resolve(isBuilt ? 'out/main/data-thread.cjs' : 'src-main/inventory/thread/thread.ts'),
            answersThread: path.resolve('src-main/query/answers/thread.ts'),
          },
          log: () => {},
        },
        { shell: 'web', version: 'bench', demo: null },
      )
      core.on('notification', (one) => notified.push({ at: moment(), notified: one }))
      if (!isBuilt)
        core.on('patch', ({ devices }) =>
          steps.push({ what: 'committed', at: moment(), ids: devices.map(({ id }) => id) }),
        )
      core.on('connections', ([state]) => {
        last = state ?? null
      })
      await core.handlers['settings.change'](settings)
      const read = untilRead(core)
      await core.handlers['connections.save']({ id: null, name: 'bench', subscription: '', portal: '', ...addresses })
      await read
    },
    change: async (settings: CallInput<'settings.change'>) =>
      void (await running().handlers['settings.change'](settings)),
    saveChannel: async (input: CallInput<'channels.save'>) => void (await running().handlers['channels.save'](input)),
    rows: (input: CallInput<'inventory.rows'>) => running().handlers['inventory.rows'](input),
    /** Resolves with the number of open incidents. */
    incidents: async (): Promise<number> =>
      (await running().handlers['incidents.list']({ state: 'open', text: '', offset: 0, limit: 1 })).counts.open,
    take: (): { notified: NotifiedAt[]; steps: Step[] } => ({ notified: notified.splice(0), steps: steps.splice(0) }),
    /**
     * Stops the process within this call until it is woken; its wall clock then advances by `ms`. Returns the moment of
     * waking.
     */
    sleep(ms: number): number {
      const began = performance.now()
      process.kill(process.pid, 'SIGSTOP')
      // The signal may be slightly late; this waits until it has taken effect.
      while (performance.now() - began < leastSleepMs) continue
      clock.slept(ms, performance.now() - began)
      return moment()
    },
    /** Resolves with the number of devices of each filter, without showing them in the viewport. */
    async counts(filters: readonly string[]): Promise<number[]> {
      const { totals } = await running().handlers['inventory.totals']({
        queries: filters.map((filter) => ({ scope: everything, filter, sort: [] })),
      })
      return totals
    },
    watchLoop: loop.begin,
    loop: loop.read,
    peakResident,
    processorTime,
    /** Resolves with whether all is known: live, no sync running, and no device unknown. */
    async isQuiet(): Promise<boolean> {
      const asked = moment()
      const { counts } = await running().handlers['inventory.counts']({ scope: everything })
      longestAnswer = Math.max(longestAnswer, moment() - asked)
      return last?.link.state === 'live' && last.sync.state === 'idle' && counts?.unknown === 0
    },
    /** Returns the longest answer to `isQuiet` within this process, ms. */
    longestAnswer: (): number => longestAnswer,
    states: (): Promise<Map<string, boolean | null>> => statesOf(running()),
    /** Returns the transitions of each device with any in the journal's file, oldest first. */
    journal: (): Map<string, boolean[]> => journalOf(profile),
  }
}

/** Resolves with each device's status in the list that the window shows. */
async function statesOf(core: Core): Promise<Map<string, boolean | null>> {
  const states = new Map<string, boolean | null>()
  for (let offset = 0, total = 1; offset < total; offset += longestWindow) {
    const answer = await core.handlers['inventory.rows']({
      query: { scope: everything, filter: '', sort: [] },
      offset,
      limit: longestWindow,
    })
    for (const { id, connected } of answer.rows) states.set(id, connected)
    total = answer.total
  }
  return states
}

/** Resolves when no sync runs, the link is live and all is synced. */
function untilRead(core: Core): Promise<void> {
  return new Promise((resolve) => {
    const off = core.on('connections', ([state]) => {
      if (
        state === undefined ||
        state.lastReadingAt === null ||
        state.link.state !== 'live' ||
        state.sync.state !== 'idle'
      )
        return
      off()
      resolve()
    })
  })
}

/** Returns the network port unchanged; `onFrame` receives each message of the live socket as it arrives. */
function watchedNetwork(network: Network, onFrame: (text: string) => void): Network {
  const watched = (link: Link): Link => ({ ...link, dial: (...args) => watchedSocket(link.dial(...args), onFrame) })
  return { ...network, open: (ca) => watched(network.open(ca)) }
}

function watchedSocket(inner: WebSocketClass, onFrame: (text: string) => void): WebSocketClass {
  return new Proxy(inner, {
    construct(target, args: [string, string[]]) {
      const socket = new target(...args)
      const { on } = socket as { on?: (event: 'message', listener: (data: Buffer) => void) => void }
      on?.call(socket, 'message', (data) => onFrame(String(data)))
      return socket
    },
  })
}

function idsIn(frame: string): string[] {
  return [...frame.matchAll(/"id":"([^"]+)","tenantId"/gu)].map(([, id = '']) => id)
}

function journalOf(profile: string): Map<string, boolean[]> {
  const journal = new DatabaseSync(path.join(profile, 'journal.db'), { readOnly: true })
  const entered = new Map<string, boolean[]>()
  for (const { key, connected } of journal.prepare('SELECT key, connected FROM transition ORDER BY id').iterate()) {
    const id = decodeURIComponent(String(key).split('/').at(-1) ?? '')
    entered.set(id, [...(entered.get(id) ?? []), connected === 1])
  }
  journal.close()
  return entered
}

serveVerbs(openVerbs())
