import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startService, type Service } from '../../src-service/service.ts'
import { connectionTo, createLeftovers, temporaryProfile } from '../support/fleet.ts'
import type { CoreSaid } from './core.ts'

/**
 * Real kill -9 of the running core at random moments while devices of the reference service come and go:
 * `node test/long/kills.ts [kills]`. The journal is then compared with the changes of the service: no received event is
 * missing or there twice, each span contains its change, and no notification is sent twice.
 */
const [kills = 50] = process.argv.slice(2).map(Number)

/** Two changes of one device are never closer than this: an event arrives before the next change. */
const apartMs = 400
/** A change this long before a kill may still be in transit. */
const onItsWayMs = 1_500
/** The longest time until an event arrives. */
const heardWithinMs = 10_000

interface Change {
  /** The moment lies between the two. */
  from: number
  until: number
  connected: boolean
}

type Truth = Map<string, Change[]>

interface Life {
  readyAt: number | null
  endedAt: number
}

/** Lets devices come and go, until it is stopped. */
function startComingAndGoing(service: Service, truth: Truth): () => void {
  let stopped = false
  const ids = [...truth.keys()]
  const loop = async () => {
    for (;;) {
      await pause(5 + Math.random() * 40)
      const id = ids[Math.floor(Math.random() * ids.length)] ?? ''
      const changes = truth.get(id) ?? []
      const last = changes.at(-1)
      if (stopped) return
      if (last !== undefined && Date.now() - last.until < apartMs) continue
      const from = Date.now()
      const connected = last?.connected === false
      service.world.setConnected(id, connected)
      changes.push({ from, until: Date.now(), connected })
    }
  }
  void loop()
  return () => {
    stopped = true
  }
}

interface Core {
  life: Life
  kill(): Promise<void>
  ready(): Promise<void>
}

function startCore(
  profile: string,
  service: Service,
  onTold: (told: Extract<CoreSaid, { told: unknown }>['told']) => void,
): Core {
  const child = fork(fileURLToPath(new URL('core.ts', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const life: Life = { readyAt: null, endedAt: Infinity }
  const ready = Promise.withResolvers<void>()
  child.on('message', (said: CoreSaid) => {
    if ('told' in said) return onTold(said.told)
    life.readyAt = said.readyAt
    ready.resolve()
  })
  child.send({ profile, connection: connectionTo(service) })
  return {
    life,
    ready: () =>
      Promise.race([
        ready.promise,
        once(child, 'exit').then(() => Promise.reject(new Error('the core ended by itself'))),
      ]),
    async kill() {
      if (child.exitCode !== null) throw new Error(`the core ended by itself with ${child.exitCode}`)
      life.endedAt = Date.now()
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

interface Entry {
  at: number
  notBefore: number | null
  connected: boolean
}

function journalOf(profile: string): Map<string, Entry[]> {
  const db = new DatabaseSync(path.join(profile, 'journal.db'), { readOnly: true })
  const entries = new Map<string, Entry[]>()
  for (const row of db.prepare('SELECT key, at, not_before, connected FROM transition ORDER BY id').all()) {
    const id = decodeURIComponent(String(row['key']).split('/').at(-1) ?? '')
    const entry = {
      at: Number(row['at']),
      notBefore: row['not_before'] === null ? null : Number(row['not_before']),
      connected: row['connected'] === 1,
    }
    entries.set(id, [...(entries.get(id) ?? []), entry])
  }
  db.close()
  return entries
}

/** The errors in a device's entries, as text. A live entry is the last change before it, any other the first in its span. */
function wrongOf(id: string, changes: readonly Change[], entries: readonly Entry[], lives: readonly Life[]): string[] {
  const wrong: string[] = []
  const taken = new Set<number>()
  let before = -1
  for (const entry of entries) {
    const fits = ({ from, until, connected }: Change, at: number) =>
      at > before &&
      connected === entry.connected &&
      from <= entry.at &&
      (entry.notBefore === null
        ? entry.at - until <= heardWithinMs
        : entry.notBefore <= Math.max(until, changes[at - 1]?.until ?? 0) + heardLagMs)
    const found = entry.notBefore === null ? changes.findLastIndex(fits) : changes.findIndex(fits)
    if (found === -1)
      wrong.push(
        `${id}: ${entry.connected ? 'back' : 'gone'} (${entry.notBefore ?? 'live'}..${entry.at}) is no change of its own`,
      )
    else before = found
    taken.add(found)
  }
  for (const [at, { from, until, connected }] of changes.entries()) {
    const heard = lives.some(
      ({ readyAt, endedAt }) => readyAt !== null && from > readyAt && until < endedAt - onItsWayMs,
    )
    if (heard && !taken.has(at)) wrong.push(`${id}: ${connected ? 'back' : 'gone'} at ${from} was heard and is missing`)
  }
  return wrong
}

/** A missed change after a live one lies after that one's event arrived, and events take their time. */
const heardLagMs = 250

async function main(): Promise<string[]> {
  const leftovers = createLeftovers()
  const service = await startService({ devices: 60, tenants: 2, points: false })
  leftovers.push(() => service.stop())
  const profile = temporaryProfile(leftovers)
  const online = new Set(service.world.connected())
  const truth: Truth = new Map([...online].map((id) => [id, []]))
  const lives: Life[] = []
  const shown = new Map<string, number>()
  const wrong: string[] = []
  const told = (life: number) => (one: Extract<CoreSaid, { told: unknown }>['told']) => {
    const text = JSON.stringify([one.id, one.kind, one.title, one.body])
    const known = shown.get(text)
    if (known !== undefined) wrong.push(`told in life ${known} and again in life ${life}: ${one.title}`)
    shown.set(text, life)
  }
  // What was so before Muster looked for the first time is no transition: the first life looks in peace.
  let core = startCore(profile, service, told(0))
  await core.ready()
  const stop = startComingAndGoing(service, truth)
  for (let kill = 0; kill < kills; kill += 1) {
    if (Math.random() < 0.7) await core.ready()
    await pause(Math.random() * 3_000)
    await core.kill()
    lives.push(core.life)
    if (Math.random() < 0.3) await pause(Math.random() * 2_000)
    core = startCore(profile, service, told(kill + 1))
    if ((kill + 1) % 10 === 0)
      console.log(`${kill + 1} of ${kills} kills, ${[...truth.values()].flat().length} changes, ${shown.size} told`)
  }
  await core.ready()
  stop()
  await whenStill(profile, truth)
  await core.kill()
  lives.push(core.life)
  const journal = journalOf(profile)
  for (const [id, changes] of truth) wrong.push(...wrongOf(id, changes, journal.get(id) ?? [], lives))
  const entries = [...journal.values()].flat()
  console.log(
    `${kills} kills: ${[...truth.values()].flat().length} changes, ${entries.length} transitions in the journal (${entries.filter(({ notBefore }) => notBefore === null).length} live), ${shown.size} told, ${wrong.length} wrong`,
  )
  await leftovers.clean()
  return wrong
}

/** Waits until the journal's last states are true, at most half a minute. After that the rest is reported. */
async function whenStill(profile: string, truth: Truth): Promise<void> {
  for (let look = 0; look < 60; look += 1) {
    await pause(500)
    const journal = journalOf(profile)
    const isSame = [...truth].every(
      ([id, changes]) => (journal.get(id)?.at(-1)?.connected ?? true) === (changes.at(-1)?.connected ?? true),
    )
    if (isSame) return
  }
  throw new Error('the journal does not come to say what is true')
}

const found = await main()
for (const words of found) console.log(words)
process.exitCode = found.length > 0 ? 1 : 0
