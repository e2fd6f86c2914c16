import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Leg, LegResult } from '../../../src-shared/model/connection.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { numberText } from '../../lib/format/numbers.ts'
import type { TestState } from './test.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

const legLabels: Record<Leg, string> = {
  name: 'Host name',
  tls: 'Secure connection',
  token: 'Access token',
  query: 'Query',
  socket: 'WebSocket',
}
const outcomeLabels: Record<LegResult['outcome'], string> = { ok: 'works', failed: 'fails', skipped: 'not tried' }
const icons = { ok: CircleCheck, failed: CircleX, skipped: CircleDashed }

/**
 * The result of a test, leg by leg; a failed leg has its next step. It is always in the document, so that screen
 * readers announce it.
 */
export function Legs({ test: { state }, test }: { test: TestState }) {
  const box = useRef<HTMLDivElement>(null)
  // Scrolls its start into view; the focus does not move.
  useEffect(() => {
    if (state === 'none') return
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('p')?.scrollIntoView({ block: 'nearest' })
  }, [state])
  return (
    <div ref={box} className="legs" role="status">
      {test.state === 'busy' && (
        <p className="legs-busy">
          <LoaderCircle size={15} aria-hidden />
          Testing host name, secure connection, token, query and WebSocket…
        </p>
      )}
      {test.outdated === true && <p className="legs-sum">This has been changed since it was tested. Test it again.</p>}
      {test.state === 'failed' && test.outdated !== true && <FaultNote fault={test.fault} />}
      {test.state === 'done' && test.outdated !== true && (
        <>
          <p className="legs-sum">{summaryText(test.legs)}</p>
          <ol aria-label="Steps of the test">
            {test.legs.map((each) => (
              <LegLine key={each.leg} result={each} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function summaryText(legs: readonly LegResult[]): string {
  const failed = legs.find(({ outcome }) => outcome === 'failed')
  return failed === undefined ? 'Passed, not saved.' : `Failed at: ${legLabels[failed.leg]}. Not saved.`
}

function LegLine({ result: { leg, outcome, fault, detail, ms } }: { result: LegResult }) {
  const Icon = icons[outcome]
  return (
    <li className="leg" data-outcome={outcome}>
      <Icon size={15} aria-hidden />
      <span className="leg-name">{legLabels[leg]}</span>
      <span className="leg-outcome">{outcomeLabels[outcome]}</span>
      <span className="leg-detail">
        <Isolated>{detail}</Isolated>
      </span>
      <span className="number muted-text">
        {outcome === 'skipped' || ms === 0 ? '' : `${numberText(Math.round(ms))} ms`}
      </span>
      {fault !== null && (
        <p className="leg-fault">
          <strong>{explain(fault).title}</strong> {explain(fault).advice}
          {fault.detail !== '' && (
            <span className="fault-detail">
              {' '}
              <Isolated>{fault.detail}</Isolated>
            </span>
          )}
        </p>
      )}
    </li>
  )
}
