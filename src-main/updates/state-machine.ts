import { assertNever } from '../../src-shared/model/fault.ts'
import type { PendingState, Off, Update, UpdateState } from '../../src-shared/model/updates.ts'

/*
 *   off ◀──settings──▶ idle ──due, requested──▶ checking ──nothing newer──▶ idle
 *                       ▲                         │ └──failed──▶ failed ──due, requested──▶ checking
 *                       │ another feed            ▼ something newer
 *                      any                    available ──consented, or the setting──▶ downloading ──▶ ready
 *                                                 ▲ due, requested: checking again         └──▶ failed
 */

/** An event of the update process. `self`: updates are downloaded automatically. `at`: ms since the epoch. */
export type Input =
  | { is: 'settings'; off: Off | null; /** Another feed, channel or CA than before. */ moved: boolean; self: boolean }
  /** `due`: the scheduled time has come; `wanted`: a person asks for a check. */
  | { is: 'due' }
  | { is: 'requested' }
  /** `same`: the update was already found before. */
  | { is: 'checked'; update: Update | null; same: boolean; self: boolean; at: number }
  | { is: 'failed'; words: string; at: number }
  /** A person consents to the download. */
  | { is: 'consented' }
  | { is: 'progress'; bytes: number }
  | { is: 'downloaded' }
  /** A person asks for the restart with the update. */
  | { is: 'apply' }

/** An action to perform. There is none to install: only a start installs a pending update. */
export type Effect = 'check' | 'download' | 'cancel' | 'store-pending' | 'remove-pending' | 'restart'

export interface Transition {
  next: UpdateState
  effects: readonly Effect[]
}

const unchanged = (next: UpdateState): Transition => ({ next, effects: [] })

/**
 * Returns the next state and its effects, without a clock or a network. An input that does not fit a state changes
 * nothing.
 */
export function reduce(now: UpdateState, input: Input): Transition {
  switch (input.is) {
    case 'settings':
      return settingsChanged(now, input)
    case 'due':
    case 'requested':
      return isBusy(now) || now.is === 'off'
        ? unchanged(now)
        : { next: { is: 'checking', update: updateIn(now), pending: pendingIn(now) }, effects: ['check'] }
    case 'checked':
      return answered(now, input)
    case 'failed':
      return failed(now, input)
    case 'consented':
      return mayDownload(now) ? startDownload(now.update) : unchanged(now)
    case 'progress':
      return unchanged(now.is === 'downloading' ? { ...now, transferred: input.bytes } : now)
    case 'downloaded':
      return now.is === 'downloading'
        ? { next: { is: 'ready', update: now.update }, effects: ['store-pending'] }
        : unchanged(now)
    case 'apply':
      return pendingIn(now) === 'none' ? unchanged(now) : { next: now, effects: ['restart'] }
    default:
      return assertNever(input)
  }
}

const isBusy = (now: UpdateState) => now.is === 'checking' || now.is === 'downloading'

export function updateIn(now: UpdateState): Update | null {
  return 'update' in now ? now.update : null
}

export function pendingIn(now: UpdateState): PendingState {
  if (now.is === 'ready') return 'ready'
  return 'pending' in now ? now.pending : 'none'
}

type Waiting = UpdateState & { update: Update }
function mayDownload(now: UpdateState): now is Waiting {
  return now.is === 'available' || (now.is === 'failed' && now.update !== null && now.pending === 'none')
}

const startDownload = (update: Update, before: readonly Effect[] = []): Transition => ({
  next: { is: 'downloading', update, transferred: 0 },
  effects: [...before, 'download'],
})

function settingsChanged(now: UpdateState, { off, moved, self }: Extract<Input, { is: 'settings' }>): Transition {
  const undo: Effect[] = [
    ...(isBusy(now) ? ['cancel' as const] : []),
    ...(pendingIn(now) === 'none' ? [] : ['remove-pending' as const]),
  ]
  if (off !== null)
    return now.is === 'off' && now.reason === off.reason
      ? unchanged(now)
      : { next: { is: 'off', ...off }, effects: undo }
  // An offer of another feed, and a consent to it, do not count for this one.
  if (now.is === 'off' || moved) return { next: { is: 'idle', checkedAt: null }, effects: undo }
  return self && now.is === 'available' ? startDownload(now.update) : unchanged(now)
}

function answered(now: UpdateState, { update, same, self, at }: Extract<Input, { is: 'checked' }>): Transition {
  if (now.is !== 'checking') return unchanged(now)
  // A version that its makers withdrew is not installed.
  const forget: Effect[] = now.pending === 'none' ? [] : ['remove-pending']
  if (update === null) return { next: { is: 'idle', checkedAt: at }, effects: forget }
  if (same && now.pending === 'ready') return unchanged({ is: 'ready', update })
  if (same && now.pending === 'failed')
    return unchanged({ is: 'failed', what: 'install', words: triedMessage, at, update, pending: 'failed' })
  return self ? startDownload(update, forget) : { next: { is: 'available', update }, effects: forget }
}

export const triedMessage = 'It was tried at a start of Muster and did not come into place.'

function failed(now: UpdateState, { words, at }: Extract<Input, { is: 'failed' }>): Transition {
  if (now.is === 'checking')
    return unchanged({ is: 'failed', what: 'check', words, at, update: now.update, pending: now.pending })
  if (now.is === 'downloading')
    return unchanged({ is: 'failed', what: 'download', words, at, update: now.update, pending: 'none' })
  return unchanged(now)
}
