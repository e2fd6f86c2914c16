import type { StoredTransition } from '../../storage/journal/alerts.ts'
import { extraTimes } from './due.ts'
import type { Drop, AlertRules, State } from './state.ts'

/** Transitions in the order in which they happened: drops are held, and returns are weighed against them. */
export function applyTransitions(
  state: State,
  transitions: readonly StoredTransition[],
  now: number,
  rules: AlertRules,
): State {
  if (transitions.length === 0) return state
  const drops = new Map(state.drops)
  const flaps = new Map(state.flaps)
  const max = maxTimes(rules) + extraTimes
  for (const transition of transitions) {
    // A clock that was set back must not hold anything for hours.
    const heard = { ...transition, at: Math.min(transition.at, now) }
    const after = heard.connected
      ? applyRecovery(drops.get(heard.key), heard)
      : applyDrop(drops.get(heard.key), heard, state)
    if (after === null) drops.delete(heard.key)
    else drops.set(heard.key, after)
    // As many as the longest figure needs; a transition that was missed has no time that could be counted.
    if (heard.notBefore === null) {
      const known = flaps.get(heard.key) ?? { times: [], thresholds: null }
      flaps.set(heard.key, { ...known, times: [...known.times, heard.at].slice(-max) })
    }
  }
  return { ...state, drops, flaps }
}

function maxTimes({ defaults, nodes }: AlertRules): number {
  return [...nodes.values()].reduce(
    (max, { flapTransitions }) => Math.max(max, flapTransitions ?? 0),
    defaults.flapTransitions,
  )
}

/** One that is up within its hold-off never was down, but for what is still to be told of before; null where that is nothing. */
export function recoveryOfPending(drop: Drop, backAt: number, backNotBefore: number | null): Drop | null {
  return drop.pendingRecovery === null
    ? null
    : {
        ...drop,
        incident: drop.pendingRecovery,
        pendingRecovery: null,
        notified: true,
        returned: true,
        backAt,
        backNotBefore,
        waitUntil: 0,
      }
}

export const suspectDrop = ({ key, at, notBefore }: Pick<StoredTransition, 'key' | 'at' | 'notBefore'>): Drop => ({
  key,
  at,
  notBefore,
  incident: null,
  notified: false,
  backAt: null,
  returned: false,
  flapping: false,
  thresholds: null,
  backNotBefore: null,
  waitUntil: 0,
  droppedAgain: false,
  pendingRecovery: null,
  droppedAt: { at, notBefore },
})

/**
 * One that is in an incident and comes down again before its return was told never came back, as far as anyone was told.
 * One that is only held came back in between, though the outbox, which keeps the last word, may not have said so: held anew.
 */
function applyDrop(known: Drop | undefined, heard: StoredTransition, { incidents }: Pick<State, 'incidents'>): Drop {
  if (known === undefined || (known.incident === null && !known.flapping))
    return { ...suspectDrop(heard), pendingRecovery: known?.pendingRecovery ?? null }
  // It was steady, which only was not told yet: now it is down as any other.
  if (known.returned && incidents.get(known.incident ?? '')?.kind === 'flapping')
    return { ...suspectDrop(heard), pendingRecovery: known.incident }
  const droppedAt = { at: heard.at, notBefore: heard.notBefore }
  const again = known.returned ? { ...droppedAt, droppedAgain: true } : {}
  return {
    ...known,
    ...again,
    droppedAt,
    backAt: null,
    backNotBefore: null,
    returned: false,
    waitUntil: known.backAt === null ? known.waitUntil : 0,
  }
}

function applyRecovery(known: Drop | undefined, { at, notBefore }: StoredTransition): Drop | null {
  if (known === undefined) return null
  if (known.incident === null && !known.flapping) return recoveryOfPending(known, at, notBefore)
  if (known.backAt === null) return { ...known, backAt: at, backNotBefore: notBefore, waitUntil: 0 }
  // A look may have found it up before this was heard, and knew no more than that it had been down: this is the better word.
  const isBetter =
    !known.returned && known.backNotBefore !== null && (notBefore === null || notBefore > known.backNotBefore)
  return isBetter ? { ...known, backAt: at, backNotBefore: notBefore } : known
}
