import { useEffect, useState } from 'react'
import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import type { Span } from './spans.ts'

export type Subject = CallInput<'availability.strip'>['subject']

/** `from`, `until`: what was asked, ms. */
export interface Strip extends CallOutput<'availability.strip'> {
  from: number
  until: number
}

export type StripState =
  | { state: 'loading' }
  | { state: 'shown'; strip: Strip; span: Span }
  | { state: 'failed'; fault: Fault }

/** How often a strip in sight is asked for anew, ms; its shortest part is a quarter of an hour. */
const refreshEvery = 60_000

/** How the subject was over the span until now. What was shown stays until the next answer, and when there is none. `seen`: changes when something about it did. */
export function useStrip(subject: Subject, span: Span, seen: string | number | null): StripState {
  const { session, ticker } = useAppContext()
  const name = JSON.stringify(subject)
  const request = JSON.stringify([subject, seen])
  const [held, setHeld] = useState<{ name: string; state: StripState }>({ name, state: { state: 'loading' } })
  useEffect(() => {
    let wanted = true
    const read = async () => {
      const [asked] = JSON.parse(request) as [Subject]
      const until = ticker.exact()
      const from = until - span.length
      const answer = await session.pipe.call('availability.strip', { subject: asked, from, until, parts: span.parts })
      if (!wanted) return
      if (answer.ok) return setHeld({ name, state: { state: 'shown', strip: { ...answer.value, from, until }, span } })
      setHeld((before) =>
        before.name === name && before.state.state === 'shown'
          ? before
          : { name, state: { state: 'failed', fault: answer.fault } },
      )
    }
    void read()
    const timer = setInterval(() => void read(), refreshEvery)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [session, ticker, name, request, span])
  return held.name === name ? held.state : { state: 'loading' }
}
