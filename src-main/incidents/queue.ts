import type { ExpectedReboot } from '../../src-shared/model/jobs.ts'
import type { StoredTransition } from '../storage/journal/alerts.ts'
import { reduce } from './engine/reduce.ts'
import type { AlertRules } from './engine/rules.ts'
import type { Notes, State } from './engine/state.ts'

/**
 * What waits for the next turn, in the order in which it came, because whether a drop is expected depends on it:
 * transitions, and all reboots that are awaited from then on.
 */
export type Queue = (
  | { kind: 'transitions'; transitions: StoredTransition[] }
  | { kind: 'reboots'; reboots: readonly ExpectedReboot[] }
)[]

/** Adds transitions to a queue. */
export function enqueueTransitions(queue: Queue, transitions: readonly StoredTransition[]): void {
  if (transitions.length === 0) return
  const last = queue.at(-1)
  if (last?.kind === 'transitions') for (const each of transitions) last.transitions.push(each)
  else queue.push({ kind: 'transitions', transitions: [...transitions] })
}

/** Adds the reboots that are awaited to a queue. Of two lists that follow each other only the last one counts. */
export function enqueueReboots(queue: Queue, reboots: readonly ExpectedReboot[]): void {
  if (queue.at(-1)?.kind === 'reboots') queue.pop()
  queue.push({ kind: 'reboots', reboots })
}

export interface QueueStep {
  state: State
  notes: Notes[]
  /** The transitions that the state includes. */
  taken: StoredTransition[]
  /** Whether drops are expected now that were not, or the other way round. */
  hasChangedDrops: boolean
}

/** Applies a queue to a state at a time (ms). */
export function applyQueue(state: State, queue: Queue, now: number, rules: AlertRules): QueueStep {
  const result: QueueStep = { state, notes: [], taken: [], hasChangedDrops: false }
  for (const input of queue) {
    const step = reduce(result.state, input, now, rules)
    if (input.kind === 'transitions') for (const each of input.transitions) result.taken.push(each)
    else result.hasChangedDrops ||= step.state.drops !== result.state.drops
    result.state = step.state
    result.notes.push(step.notes)
  }
  return result
}
