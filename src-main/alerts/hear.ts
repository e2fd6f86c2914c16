import type { StoredTransition } from '../journal/alerts.ts'
import type { Drop, State } from './state.ts'

/** Transitions in the order in which they happened: drops are held, and returns are weighed against them. */
export function hear(state: State, transitions: readonly StoredTransition[], now: number): State {
  const drops = new Map(state.drops)
  for (const transition of transitions) {
    // A clock that was set back must not hold anything for hours.
    const heard = { ...transition, at: Math.min(transition.at, now) }
    const after = heard.connected ? returned(drops.get(heard.key), heard.at) : dropped(drops.get(heard.key), heard)
    if (after === null) drops.delete(heard.key)
    else drops.set(heard.key, after)
  }
  return { ...state, drops }
}

/**
 * One that was told and comes down again before its return was told never came back, as far as anyone was told. One that
 * is only held came back in between, though the outbox, which keeps the last word, may not have said so: held anew.
 */
function dropped(known: Drop | undefined, { key, at, notBefore }: StoredTransition): Drop {
  if (known !== undefined && known.telling !== null) return { ...known, backAt: null, waitUntil: known.backAt === null ? known.waitUntil : 0 }
  return { key, at, notBefore, telling: null, backAt: null, waitUntil: 0 }
}

/** A return is worth telling when the drop was told. */
function returned(known: Drop | undefined, at: number): Drop | null {
  if (known === undefined || known.telling === null) return null
  return known.backAt === null ? { ...known, backAt: at, waitUntil: 0 } : known
}
