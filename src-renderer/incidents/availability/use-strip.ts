import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { every, useCall } from '../../lib/hooks/use-call.ts'
import type { Span } from './spans.ts'

export type Subject = CallInput<'availability.strip'>['subject']

/** `from`, `until`: the requested span, in ms. */
export interface Strip extends CallOutput<'availability.strip'> {
  from: number
  until: number
}

export type StripState =
  | { state: 'loading' }
  | { state: 'shown'; strip: Strip; span: Span }
  | { state: 'failed'; fault: Fault }

/** The state of the strip of one subject. */
interface Named {
  name: string
  state: StripState
}

/** Interval (ms) at which a visible strip is read again. Its shortest part is a quarter of an hour. */
const refreshEvery = 60_000

/**
 * Returns the availability of the subject over the span until now. The last strip stays until the next answer, and when
 * there is none. `seen`: changes when the subject has changed.
 */
export function useStrip(subject: Subject, span: Span, seen: string | number | null): StripState {
  const { session, ticker } = useAppContext()
  const name = JSON.stringify(subject)
  const load = async (last: Named | null): Promise<Named | null> => {
    const until = ticker.exact()
    const from = until - span.length
    const answer = await session.pipe.call('availability.strip', { subject, from, until, parts: span.parts })
    if (answer.ok) return { name, state: { state: 'shown', strip: { ...answer.value, from, until }, span } }
    if (last?.name === name && last.state.state === 'shown') return null
    return { name, state: { state: 'failed', fault: answer.fault } }
  }
  const { value } = useCall(JSON.stringify([subject, seen, span.length, span.parts]), load, every(refreshEvery))
  return value?.name === name ? value.state : { state: 'loading' }
}
