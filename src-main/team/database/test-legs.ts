import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { wait } from '../../../src-shared/lib/clock.ts'
import { FaultError, assertNever, toFault } from '../../../src-shared/model/fault.ts'
import { teamLegs, type TeamLeg, type TeamLegResult } from '../../../src-shared/model/team.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { hostAndPort, parseTeamAddress } from './address.ts'
import { usesTls, type TeamTarget } from './connect.ts'
import { openListener } from './listener.ts'
import { readSchema, type SchemaState } from './migrate.ts'
import { inTransaction, openPool, type TeamPool } from './pool.ts'
import { connectPlain, resolveHost, secure } from './probe.ts'
import { teamSteps } from './steps.ts'

/** `address`: as the operator wrote it. */
export interface TeamTestInput extends Omit<TeamTarget, 'address'> {
  address: string
  /** Cancels the whole test; its reason is a `FaultError`. */
  signal: AbortSignal
}

/** Longest duration of a test, ms: it is answered within a minute. */
const timeoutMs = 55_000
/** Longest time of a notification, ms; and the interval of polling where none arrives. */
const bellMs = 2000
const pollSeconds = 2
/** The oldest server's version, as `server_version_num`. */
const oldestVersion = 150_000

interface Trial {
  input: TeamTestInput
  signal: AbortSignal
  /** Closes what was opened, the last first. */
  closers: (() => unknown)[]
}

/** The result of a leg that did not fail. */
type Passed = string | { skipped: string }
type Tries = Record<TeamLeg, () => Promise<Passed>>

/** Tests each leg of a team's database on its own, and leaves nothing open, and nothing in it. Never rejects. */
export async function testTeam(input: TeamTestInput): Promise<TeamLegResult[]> {
  const timeout = new AbortController()
  const cancel = input.clock.after(timeoutMs, () =>
    timeout.abort(new FaultError('timeout', 'the whole test took too long')),
  )
  const trial = { input, signal: AbortSignal.any([timeout.signal, input.signal]), closers: [] as (() => unknown)[] }
  try {
    return await runInOrder(trial, triesOf(trial))
  } finally {
    cancel()
    timeout.abort(new FaultError('abort'))
    for (const close of trial.closers.toReversed()) await close()
  }
}

/** Returns the test of each leg. Later ones use the results of earlier ones. */
function triesOf(trial: Trial): Tries {
  const { input, signal } = trial
  const found = lazy<TeamTarget>()
  const socket = lazy<Socket>()
  const pool = lazy<TeamPool>()
  return {
    async address() {
      const address = found.set({ ...input, address: parseTeamAddress(input.address) }).address
      return hostAndPort(address)
    },
    async name() {
      const addresses = await resolveHost(found.get())
      const { host } = found.get().address
      return addresses.includes(host) ? host : `${host}: ${addresses.join(', ')}`
    },
    async connect() {
      const opened = socket.set(await connectPlain(found.get(), signal))
      trial.closers.push(() => opened.destroy())
      return hostAndPort(found.get().address)
    },
    async tls() {
      if (usesTls(found.get())) return secure(socket.get(), found.get())
      socket.get().destroy()
      return { skipped: 'not needed on this computer' }
    },
    async 'sign-in'() {
      const opened = pool.set(openPool(found.get()))
      trial.closers.push(opened.close)
      const client = await opened.take()
      client.release()
      const { user, database } = found.get().address
      return `user ${user}, database ${database}`
    },
    version: () => readVersion(pool.get(), signal),
    schema: async () =>
      schemaText(await inTransaction(pool.get(), (run) => readSchema(run, pool.get().where), { signal })),
    notifications: () => ring(found.get(), pool.get(), trial),
  }
}

/** A value of an earlier leg. Without it, a later leg is not tried. */
function lazy<T>() {
  let value: { of: T } | null = null
  return {
    set(given: T): T {
      value = { of: given }
      return given
    },
    get(): T {
      if (value === null) throw new Error('an earlier leg has not passed')
      return value.of
    },
  }
}

async function runInOrder({ input: { clock }, signal }: Trial, tries: Tries): Promise<TeamLegResult[]> {
  const results: TeamLegResult[] = []
  for (const leg of teamLegs) {
    const began = clock.monotonic()
    if (results.some(({ outcome }) => outcome === 'failed')) {
      results.push({ leg, outcome: 'skipped', fault: null, detail: '', ms: 0 })
      continue
    }
    const result = await tryLeg(signal, tries[leg])
    results.push({ leg, ...result, ms: Math.round(clock.monotonic() - began) })
  }
  return results
}

async function tryLeg(signal: AbortSignal, run: Tries[TeamLeg]): Promise<Omit<TeamLegResult, 'leg' | 'ms'>> {
  try {
    const passed = await unlessAborted(signal, run())
    return typeof passed === 'string'
      ? { outcome: 'ok', fault: null, detail: passed }
      : { outcome: 'skipped', fault: null, detail: passed.skipped }
  } catch (error) {
    return { outcome: 'failed', fault: toFault(error), detail: '' }
  }
}

const versionRow = z.object({ number: z.int(), text: z.string() })

async function readVersion(pool: TeamPool, signal: AbortSignal): Promise<string> {
  const sql = `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`
  const [row] = await inTransaction(pool, ({ query }) => query(sql), { signal })
  const { number, text } = versionRow.parse(row)
  return versionText(number, text, pool.where)
}

/**
 * Returns the server's version as text. Throws a `FaultError` of kind `protocol` for one that Muster cannot use.
 * `number`: as `server_version_num`; `text`: as `server_version`.
 */
export function versionText(number: number, text: string, where: string): string {
  const version = `PostgreSQL ${text.split(' ')[0]}`
  if (number < oldestVersion) throw new FaultError('protocol', `${where}: it is ${version}; Muster needs 15 or newer`)
  return version
}

function schemaText(state: SchemaState): string {
  switch (state.is) {
    case 'missing':
      return 'not there yet; Muster makes it'
    case 'ready':
      return `version ${state.version}`
    case 'older':
      return `version ${state.version}; Muster updates it to version ${teamSteps.length}`
    case 'behind':
      return `version ${state.version}; read-only until the owner role signs in with this version of Muster`
    case 'newer':
      return `version ${state.version}, of a newer Muster; read-only until this one is updated`
    default:
      return assertNever(state)
  }
}

/** Rings a bell of its own name, so that no member hears it. */
async function ring(target: TeamTarget, pool: TeamPool, { closers, signal }: Trial): Promise<string> {
  const channel = `muster_test_${randomUUID()}`
  const heard = new AbortController()
  const listener = await openListener({ target, channel, onBell: () => heard.abort(), signal })
  closers.push(listener.stop)
  await inTransaction(pool, ({ query }) => query(`SELECT pg_notify($1, '')`, [channel]), { signal })
  await wait(target.clock, bellMs, AbortSignal.any([heard.signal, signal])).catch(() => {})
  if (heard.signal.aborted) return 'changes arrive at once'
  const why = listener.isPooled ? 'none comes through the pooler' : 'none came'
  return `${why}; Muster polls every ${pollSeconds} seconds`
}
