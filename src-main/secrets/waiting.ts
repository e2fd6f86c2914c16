import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Secrets } from '../ports.ts'
import { within, type Vault } from './vault.ts'

/** Interval at which a locked keychain is checked, and the longest wait for a user who unlocks it, ms. */
const lookEveryMs = 3_000
const personMs = 60_000

interface Keeping {
  vault: Vault
  clock: Clock
  open: boolean
  stopped: boolean
  /** Secrets that were set while it was locked, by account, in memory only. */
  waiting: Map<string, string>
  listeners: Set<() => void>
  cancelLook: () => void
  /** Set while it is probed, when the user may be asked: a second dialog would not help. */
  asking: Promise<void> | null
  /** Set while the waiting secrets are written. */
  opening: Promise<void> | null
}

/**
 * Returns the secrets of a keychain that may be locked, now or later. Secrets set meanwhile wait in memory, and are
 * written when it is unlocked. `begun`: it is open, still being probed, or known to be locked (null).
 */
export function keepWaiting(vault: Vault, clock: Clock, begun: 'open' | Promise<string | null> | null): Secrets {
  const keeping: Keeping = {
    vault,
    clock,
    open: begun === 'open',
    stopped: false,
    waiting: new Map(),
    listeners: new Set(),
    cancelLook: () => {},
    asking: null,
    opening: null,
  }
  if (begun !== 'open' && begun !== null) keeping.asking = follow(keeping, begun)
  lookLater(keeping)
  return {
    get kind() {
      return keeping.open ? 'keychain' : 'locked'
    },
    get detail() {
      return keeping.open ? vault.name : `${vault.name} is locked, or does not answer`
    },
    get: (account) => get(keeping, account),
    set: (account, secret) => set(keeping, account, secret),
    remove: (account) => remove(keeping, account),
    unlock: () => unlock(keeping),
    onChange(listener) {
      keeping.listeners.add(listener)
      return () => void keeping.listeners.delete(listener)
    },
    stop() {
      keeping.stopped = true
      keeping.cancelLook()
    },
  }
}

async function get(keeping: Keeping, account: string): Promise<string | null> {
  const waiting = keeping.waiting.get(account)
  if (waiting !== undefined) return waiting
  if (!keeping.open) throw locked(keeping)
  return unlessLocked(
    keeping,
    () => keeping.vault.get(account),
    (found) => found === null,
  )
}

/** Stores a secret. Checks for a locked keychain first, so that the caller does not wait for the system's dialog. */
async function set(keeping: Keeping, account: string, secret: string): Promise<void> {
  const { vault, waiting } = keeping
  if (keeping.open && (await vault.isLocked()) === true) shut(keeping)
  if (keeping.open) {
    try {
      await vault.set(account, secret)
      return void waiting.delete(account)
    } catch (error) {
      if ((await vault.isLocked()) !== true) throw error
      shut(keeping)
    }
  }
  waiting.set(account, secret)
  // A user is present, who can unlock it.
  void unlock(keeping)
}

async function remove(keeping: Keeping, account: string): Promise<void> {
  keeping.waiting.delete(account)
  if (!keeping.open) throw locked(keeping)
  await unlessLocked(
    keeping,
    () => keeping.vault.remove(account),
    () => true,
  )
}

/**
 * Runs a request, and rejects when the keychain was locked meanwhile: it then reports that it is empty, or fails.
 * `doubtful`: the result may mean that.
 */
async function unlessLocked<T>(keeping: Keeping, work: () => Promise<T>, doubtful: (done: T) => boolean): Promise<T> {
  try {
    const done = await work()
    if (!doubtful(done) || (await keeping.vault.isLocked()) !== true) return done
  } catch (error) {
    if ((await keeping.vault.isLocked()) !== true) throw error
  }
  shut(keeping)
  throw locked(keeping)
}

const locked = ({ vault }: Keeping): FaultError => new FaultError('keychain-locked', vault.name)

function shut(keeping: Keeping): void {
  if (!keeping.open) return
  keeping.open = false
  lookLater(keeping)
  tell(keeping)
}

function lookLater(keeping: Keeping): void {
  keeping.cancelLook()
  if (keeping.stopped || keeping.open) return
  keeping.cancelLook = keeping.clock.after(lookEveryMs, () => void look(keeping))
}

/**
 * Checks the lock. Writes only to a keychain that reports to be unlocked, so that no unexpected dialog opens again and
 * again.
 */
async function look(keeping: Keeping): Promise<void> {
  if ((await keeping.vault.isLocked()) === false) await opened(keeping)
  lookLater(keeping)
}

/** Asks the user to unlock the keychain. A later answer than the wait unlocks it too. */
async function unlock(keeping: Keeping): Promise<void> {
  if (keeping.open || keeping.stopped) return
  keeping.asking ??= follow(keeping, keeping.vault.probe())
  await within(keeping.clock, personMs, keeping.asking).catch(() => {})
}

async function follow(keeping: Keeping, probing: Promise<string | null>): Promise<void> {
  if ((await probing) === null) await opened(keeping)
  keeping.asking = null
}

async function opened(keeping: Keeping): Promise<void> {
  if (keeping.open || keeping.stopped) return
  keeping.opening ??= putIn(keeping).finally(() => (keeping.opening = null))
  await keeping.opening
}

/** Writes the waiting secrets; a value set or removed meanwhile counts. Notifies when all are written. */
async function putIn(keeping: Keeping): Promise<void> {
  const { vault, waiting } = keeping
  try {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [account, secret] = next
      await vault.set(account, secret)
      if (!waiting.has(account)) await vault.remove(account)
      else if (waiting.get(account) === secret) waiting.delete(account)
    }
  } catch {
    // It was locked again, or failed: the remaining secrets keep waiting.
    return
  }
  if (keeping.stopped) return
  keeping.open = true
  keeping.cancelLook()
  tell(keeping)
}

function tell({ listeners }: Keeping): void {
  for (const listener of listeners) listener()
}
