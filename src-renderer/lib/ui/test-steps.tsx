import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { numberText } from '../format/numbers.ts'
import { Isolated } from './isolated.tsx'

const icons = { ok: CircleCheck, failed: CircleX, skipped: CircleDashed }

/** One step of a test. `fault`: what to do about it, or null. */
export interface TestStep {
  key: string
  name: string
  outcome: keyof typeof icons
  outcomeText: string
  detail: string
  ms: number
  fault: ReactNode
}

interface Props {
  state: 'none' | 'busy' | 'failed' | 'done'
  /** Something was changed since. */
  isOutdated: boolean
  /** Shown while the test runs, and after it was not possible. */
  busyText: string
  failure: ReactNode
  summary: string
  steps: readonly TestStep[]
}

/**
 * The result of a test, step by step; a failed one has its next step. It is always in the document, so that screen readers
 * announce it.
 */
export function TestSteps({ state, isOutdated, busyText, failure, summary, steps }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // Scrolls its start into view; the focus does not move.
  useEffect(() => {
    if (state === 'none') return
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('p')?.scrollIntoView({ block: 'nearest' })
  }, [state])
  return (
    <div ref={box} className="legs" role="status">
      {state === 'busy' && (
        <p className="legs-busy">
          <LoaderCircle size={15} aria-hidden />
          {busyText}
        </p>
      )}
      {isOutdated && <p className="legs-sum">This has been changed since it was tested. Test it again.</p>}
      {state === 'failed' && !isOutdated && failure}
      {state === 'done' && !isOutdated && (
        <>
          <p className="legs-sum">{summary}</p>
          <ol aria-label="Steps of the test">
            {steps.map((step) => (
              <StepLine key={step.key} step={step} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function StepLine({ step: { name, outcome, outcomeText, detail, ms, fault } }: { step: TestStep }) {
  const Icon = icons[outcome]
  return (
    <li className="leg" data-outcome={outcome}>
      <Icon size={15} aria-hidden />
      <span className="leg-name">{name}</span>
      <span className="leg-outcome">{outcomeText}</span>
      <span className="leg-detail">
        <Isolated>{detail}</Isolated>
      </span>
      <span className="number muted-text">
        {outcome === 'skipped' || ms === 0 ? '' : `${numberText(Math.round(ms))} ms`}
      </span>
      {fault !== null && <p className="leg-fault">{fault}</p>}
    </li>
  )
}
