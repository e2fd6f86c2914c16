import { assertNever } from '../../src-shared/model/fault.ts'
import type { Held, Off, Update, UpdateState } from '../../src-shared/model/updates.ts'

/*
 *   off ◀──settings──▶ idle ──due, wanted──▶ asking ──nothing newer──▶ idle
 *                       ▲                      │ └──failed──▶ failed ──due, wanted──▶ asking
 *                       │ another feed         ▼ something newer
 *                      any                 available ──a person's word, or the setting──▶ downloading ──▶ ready
 *                                              ▲ due, wanted: asking again                    └──▶ failed
 */

/** An event of the update process. `self`: updates are downloaded automatically. `at`: ms since the epoch. */
export type Input =
  | { is: 'settings'; off: Off | null; /** Another feed, channel or CA than before. */ moved: boolean; self: boolean }
  /** `due`: the scheduled time has come; `wanted`: a person asks for a check. */
  | { is: 'due' }
  | { is: 'wanted' }
  /** `same`: the update was already found before. */
  | { is: 'answered'; update: Update | null; same: boolean; self: boolean; at: number }
  | { is: 'failed'; words: string; at: number }
  /** A person consents to the download. */
  | { is: 'consented' }
  | { is: 'progress'; bytes: number }
  | { is: 'downloaded' }
  /** A person asks for the restart with the update. */
  | { is: 'apply' }

/** An action to perform. There is none to install: only a start installs a pending update. */
export type Effect = 'ask' | 'download' | 'call-off' | 'keep' | 'forget' | 'restart'

export interface Step {
  next: UpdateState
  effects: readonly Effect[]
}

const stay = (next: UpdateState): Step => ({ next, effects: [] })

/**
 * Returns the next state and its effects, without a clock or a network. An input that does not fit a state changes
 * nothing.
 */
export function step(now: UpdateState, input: Input): Step {
  switch (input.is) {
    case 'settings':
      return settled(now, input)
    case 'due':
    case 'wanted':
      return isBusy(now) || now.is === 'off'
        ? stay(now)
        : { next: { is: 'asking', update: updateIn(now), held: heldIn(now) }, effects: ['ask'] }
    case 'answered':
      return answered(now, input)
    case 'failed':
      return failed(now, input)
    case 'consented':
      return mayDownload(now) ? begin(now.update) : stay(now)
    case 'progress':
      return stay(now.is === 'downloading' ? { ...now, transferred: input.bytes } : now)
    case 'downloaded':
      return now.is === 'downloading' ? { next: { is: 'ready', update: now.update }, effects: ['keep'] } : stay(now)
    case 'apply':
      return heldIn(now) === 'no' ? stay(now) : { next: now, effects: ['restart'] }
    default:
      return assertNever(input)
  }
}

const isBusy = (now: UpdateState) => now.is === 'asking' || now.is === 'downloading'

export function updateIn(now: UpdateState): Update | null {
  return 'update' in now ? now.update : null
}

export function heldIn(now: UpdateState): Held {
  if (now.is === 'ready') return 'ready'
  return 'held' in now ? now.held : 'no'
}

type Waiting = UpdateState & { update: Update }
function mayDownload(now: UpdateState): now is Waiting {
  return now.is === 'available' || (now.is === 'failed' && now.update !== null && now.held === 'no')
}

const begin = (update: Update, before: readonly Effect[] = []): Step => ({
  next: { is: 'downloading', update, transferred: 0 },
  effects: [...before, 'download'],
})

function settled(now: UpdateState, { off, moved, self }: Extract<Input, { is: 'settings' }>): Step {
  const undone: Effect[] = [
    ...(isBusy(now) ? ['call-off' as const] : []),
    ...(heldIn(now) === 'no' ? [] : ['forget' as const]),
  ]
  if (off !== null)
    return now.is === 'off' && now.reason === off.reason ? stay(now) : { next: { is: 'off', ...off }, effects: undone }
  // An offer of another feed, and a consent to it, do not count for this one.
  if (now.is === 'off' || moved) return { next: { is: 'idle', askedAt: null }, effects: undone }
  return self && now.is === 'available' ? begin(now.update) : stay(now)
}

function answered(now: UpdateState, { update, same, self, at }: Extract<Input, { is: 'answered' }>): Step {
  if (now.is !== 'asking') return stay(now)
  // A version that its makers withdrew is not installed.
  const forget: Effect[] = now.held === 'no' ? [] : ['forget']
  if (update === null) return { next: { is: 'idle', askedAt: at }, effects: forget }
  if (same && now.held === 'ready') return stay({ is: 'ready', update })
  if (same && now.held === 'tried')
    return stay({ is: 'failed', what: 'install', words: triedWords, at, update, held: 'tried' })
  return self ? begin(update, forget) : { next: { is: 'available', update }, effects: forget }
}

export const triedWords = 'It was tried at a start of Muster and did not come into place.'

function failed(now: UpdateState, { words, at }: Extract<Input, { is: 'failed' }>): Step {
  if (now.is === 'asking') return stay({ is: 'failed', what: 'ask', words, at, update: now.update, held: now.held })
  if (now.is === 'downloading')
    return stay({ is: 'failed', what: 'download', words, at, update: now.update, held: 'no' })
  return stay(now)
}
