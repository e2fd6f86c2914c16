import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { LeaseStore } from '../../../../src-main/team/lead/lease-store.ts'
import type { LogStore, PostOptions } from '../../../../src-main/team/log/log-store.ts'
import { nothing, transactions, type Content, type Transaction } from './model.ts'
import type { Computer, World } from './world.ts'

/** Transactions that a failover can lose. */
const maxLost = 8

/** A database of the world, that keeps what it contained before. */
export interface Database {
  content(): Content
  /** What was lost by failovers, as it was. */
  lost: Content[]
  failedOverAt(): number
  execute<T>(transaction: Transaction<T>): T
  /** Another server takes over: it lacks the newest transactions, and its clock differs. */
  failOver(lost: number, clockMs: number): void
  setAway(isAway: boolean): void
  isAway(): boolean
  /** Number of failovers: no connection outlasts one. */
  generation(): number
}

export function createDatabase(world: World): Database {
  let history: Content[] = [nothing]
  let clockMs = 0
  let at = -Infinity
  let generation = 0
  let isAway = false
  const content = () => history.at(-1) ?? nothing
  const lost: Content[] = []
  return {
    content,
    lost,
    failedOverAt: () => at,
    execute(transaction) {
      const before = content()
      const [after, answer] = transaction(before, world.now() + clockMs)
      if (after !== before) history = [...history.slice(-maxLost), after]
      return answer
    },
    failOver(count, ms) {
      lost.push(content())
      history = history.slice(0, Math.max(1, history.length - count))
      clockMs += ms
      at = world.now()
      generation += 1
    },
    setAway(away) {
      isAway = away
    },
    isAway: () => isAway,
    generation: () => generation,
  }
}

/**
 * What happens to one request. `before`: it is cut before it is executed; `after`: before its answer arrives; `late`: it
 * is cut, and executed later all the same.
 */
export type Mishap = 'before' | 'after' | 'late'

/** The way of one member to the database. */
export interface Link {
  leases: LeaseStore
  logs: LogStore
  /** Happens to the next request. */
  next(mishap: Mishap): void
  /** Each request fails at once until it is mended. */
  cut(isCut: boolean): void
  /** Nothing passes until it is mended, in both directions; then all of it. */
  pull(isPulled: boolean): void
}

export function createLink(world: World, database: Database, computer: Computer): Link {
  let isCut = false
  let isPulled = false
  let mishaps: Mishap[] = []
  let stuck: (() => void)[] = []
  const latency = () => 1 + world.random() * 40
  const pass = (run: () => void) => {
    if (isPulled) stuck.push(() => pass(run))
    else run()
  }
  const call = <T>(transaction: Transaction<T>, { signal, onSend }: PostOptions = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const generation = database.generation()
      const fail = () => computer.deliver(() => reject(new FaultError('reset', 'db')))
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal?.aborted === true) return reject(signal.reason)
      if (isCut) return void world.after(1, fail)
      onSend?.()
      const mishap = mishaps.shift()
      const answer = (value: T) =>
        world.after(latency(), () =>
          pass(() => (mishap === 'after' || isCut ? fail() : computer.deliver(() => resolve(value)))),
        )
      const execute = () => {
        const isLost = database.isAway() || database.generation() !== generation
        if (isLost || (isCut && mishap !== 'late' && world.random() < 0.5)) return fail()
        answer(database.execute(transaction))
      }
      if (mishap === 'before') return void world.after(latency(), fail)
      if (mishap === 'late') {
        world.after(latency(), fail)
        return void world.after(latency() + world.random() * 3000, () => pass(execute))
      }
      world.after(latency(), () => pass(execute))
    })
  return {
    leases: leasesOf(call),
    logs: logsOf(call),
    next: (mishap) => void mishaps.push(mishap),
    cut(cut) {
      isCut = cut
      mishaps = []
    },
    pull(pulled) {
      isPulled = pulled
      if (!pulled) for (const run of stuck.splice(0)) run()
    },
  }
}

type Call = <T>(transaction: Transaction<T>, options?: PostOptions) => Promise<T>

function leasesOf(call: Call): LeaseStore {
  return {
    look: (subject, holders, options) => call(transactions.look(subject, holders), options),
    take: (taking, options) => call(transactions.take(taking), options),
    renew: (claim, options) => call(transactions.renew(claim), options),
    release: (claim, options) => call(transactions.release(claim), options),
  }
}

function logsOf(call: Call): LogStore {
  return {
    write: (claim, revision, batch, options) => call(transactions.write(claim, revision, batch), options),
    post: (entries, options) => call(transactions.post(entries), options),
    inspect: (claim, batch, options) => call(transactions.inspect(claim, batch), options),
    read: (from, limits, options) => call(transactions.read(from, limits), options),
    putPart: (claim, snapshot, part, body, options) => call(transactions.putPart(claim, snapshot, part, body), options),
    publish: (claim, head, options) => call(transactions.publish(claim, head), options),
    newest: (options) => call(transactions.newest(), options),
    part: (snapshot, part, options) => call(transactions.part(snapshot, part), options),
    prune: (claim, keepMs, options) => call(transactions.prune(claim, keepMs), options),
  }
}
