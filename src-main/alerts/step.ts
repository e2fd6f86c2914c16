import { assertNever } from '../../src-shared/fault.ts'
import { hear } from './hear.ts'
import { look } from './look.ts'
import type { Input, Rules, State, Step } from './state.ts'

/**
 * The telling of the operator as a pure function (design, section 8): a state, what happened and the time make the next
 * state and what is to be told. It asks for nothing: `due.ts` says when to look, and at which devices.
 */
export function step(state: State, input: Input, now: number, rules: Rules): Step {
  switch (input.kind) {
    case 'transitions':
      return { state: hear(state, input.transitions, now), tells: [] }
    case 'pause':
      return { state: pause(state, input.until, now), tells: [] }
    case 'look':
      return look(state, input.asked, input.found, now, rules)
    default:
      return assertNever(input)
  }
}

/** A pause that is called off ends now: the next look tells what it held back. */
function pause(state: State, until: number | null, now: number): State {
  if (until === null) return state.pause === null ? state : { ...state, pause: { ...state.pause, until: Math.min(state.pause.until, now) } }
  return { ...state, pause: { since: state.pause?.since ?? now, until } }
}
