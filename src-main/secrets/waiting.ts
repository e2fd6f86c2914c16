import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Secrets } from '../ports.ts'
import { within, type Vault } from './vault.ts'

/** Interval at which a locked keychain is checked, and the longest wait for a user who unlocks it, ms. */
const checkEveryMs = 3_000
const promptMs = 60_000

interface LockState {
  vault: Vault
  clock: Clock
  open: boolean
  stopped: boolean
  /** Secrets that were set while it was locked, by account, in memory only. */
  waiting: Map<string, string>
  listeners: Set<() => void>
  cancelCheck: () => void
  /** Set while it is probed, when the user may be asked: a second dialog would not help. */
  probe: Promise<void> | null
  /** Set while the waiting secrets are written. */
  writing: Promise<void> | null
}

/**
 * Returns the secrets of a keychain that may be locked, now or later. Secrets set meanwhile wait in memory, and are
 * written when it is unlocked. `begun`: it is open, still being probed, or known to be locked (null).
 */
export function keepWaiting(vault: Vault, clock: Clock, initial: 'open' | Promise<string | null> | null): Secrets {
  const state: LockState = {
    vault,
    clock,
    open: initial === 'open',
    stopped: false,
    waiting: new Map(),
    listeners: new Set(),
    cancelCheck: () => {},
    probe: null,
    writing: null,
  }
  if (initial !== 'open' && initial !== null) state.probe = follow(state, initial)
  planCheck(state)
  return {
    get kind() {
      return state.open ? 'keychain' : 'locked'
    },
    get detail() {
      return state.open ? vault.name : `${vault.name} is locked, or does not answer`
    },
    get: (account) => get(state, account),
    set: (account, secret) => set(state, account, secret),
    remove: (account) => remove(state, account),
    unlock: () => unlock(state),
    onChange(listener) {
      state.listeners.add(listener)
      return () => void state.listeners.delete(listener)
    },
    stop() {
      state.stopped = true
      state.cancelCheck()
    },
  }
}

async function get(state: LockState, account: string): Promise<string | null> {
  const waiting = state.waiting.get(account)
  if (waiting !== undefined) return waiting
  if (!state.open) throw locked(state)
  return unlessLocked(
    state,
    () => state.vault.get(account),
    (found) => found === null,
  )
}

/** Stores a secret. Checks for a locked keychain first, so that the caller does not wait for the system's dialog. */
async function set(state: LockState, account: string, secret: string): Promise<void> {
  const { vault, waiting } = state
  if (state.open && (await vault.isLocked()) === true) markLocked(state)
  if (state.open) {
    try {
      await vault.set(account, secret)
      return void waiting.delete(account)
    } catch (error) {
      if ((await vault.isLocked()) !== true) throw error
      markLocked(state)
    }
  }
  waiting.set(account, secret)
  // A user is present, who can unlock it.
  void unlock(state)
}

async function remove(state: LockState, account: string): Promise<void> {
  state.waiting.delete(account)
  if (!state.open) throw locked(state)
  await unlessLocked(
    state,
    () => state.vault.remove(account),
    () => true,
  )
}

/**
 * Runs a request, and rejects when the keychain was locked meanwhile: it then reports that it is empty, or fails.
 * `doubtful`: the result may mean that.
 */
async function unlessLocked<T>(state: LockState, work: () => Promise<T>, doubtful: (done: T) => boolean): Promise<T> {
  try {
    const done = await work()
    if (!doubtful(done) || (await state.vault.isLocked()) !== true) return done
  } catch (error) {
    if ((await state.vault.isLocked()) !== true) throw error
  }
  markLocked(state)
  throw locked(state)
}

const locked = ({ vault }: LockState): FaultError => new FaultError('keychain-locked', vault.name)

function markLocked(state: LockState): void {
  if (!state.open) return
  state.open = false
  planCheck(state)
  notify(state)
}

function planCheck(state: LockState): void {
  state.cancelCheck()
  if (state.stopped || state.open) return
  state.cancelCheck = state.clock.after(checkEveryMs, () => void checkLock(state))
}

/**
 * Checks the lock. Writes only to a keychain that reports to be unlocked, so that no unexpected dialog opens again and
 * again.
 */
async function checkLock(state: LockState): Promise<void> {
  if ((await state.vault.isLocked()) === false) await applyUnlocked(state)
  planCheck(state)
}

/** Asks the user to unlock the keychain. A later answer than the wait unlocks it too. */
async function unlock(state: LockState): Promise<void> {
  if (state.open || state.stopped) return
  state.probe ??= follow(state, state.vault.probe())
  await within(state.clock, promptMs, state.probe).catch(() => {})
}

async function follow(state: LockState, probing: Promise<string | null>): Promise<void> {
  if ((await probing) === null) await applyUnlocked(state)
  state.probe = null
}

async function applyUnlocked(state: LockState): Promise<void> {
  if (state.open || state.stopped) return
  state.writing ??= writeWaiting(state).finally(() => (state.writing = null))
  await state.writing
}

/** Writes the waiting secrets; a value set or removed meanwhile counts. Notifies when all are written. */
async function writeWaiting(state: LockState): Promise<void> {
  const { vault, waiting } = state
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
  if (state.stopped) return
  state.open = true
  state.cancelCheck()
  notify(state)
}

function notify({ listeners }: LockState): void {
  for (const listener of listeners) listener()
}
