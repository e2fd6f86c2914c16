import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { TeamLegResult } from '../../src-shared/model/team.ts'
import { numberText } from '../lib/format/numbers.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { TeamFaultNote, TeamFaultText } from './fault-text.tsx'
import type { TeamTest } from './use-team-test.ts'
import { legLabels, outcomeText, summaryText } from './words.ts'

const icons = { ok: CircleCheck, failed: CircleX, skipped: CircleDashed }

/**
 * The result of a test, leg by leg; a failed leg has its next step. It is always in the document, so that screen
 * readers announce it.
 */
export function TeamLegs({ test }: { test: TeamTest }) {
  const box = useRef<HTMLDivElement>(null)
  // Scrolls its start into view; the focus does not move.
  useEffect(() => {
    if (test.is === 'none') return
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('p')?.scrollIntoView({ block: 'nearest' })
  }, [test.is])
  return (
    <div ref={box} className="legs" role="status">
      {test.is === 'busy' && (
        <p className="legs-busy">
          <LoaderCircle size={15} aria-hidden />
          Testing the way to the database, step by step…
        </p>
      )}
      {test.is !== 'busy' && test.isOutdated && (
        <p className="legs-sum">This has been changed since it was tested. Test it again.</p>
      )}
      {test.is === 'failed' && !test.isOutdated && <TeamFaultNote fault={test.fault} />}
      {test.is === 'done' && !test.isOutdated && (
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

function LegLine({ result, result: { leg, outcome, fault, detail, ms } }: { result: TeamLegResult }) {
  const Icon = icons[outcome]
  return (
    <li className="leg" data-outcome={outcome}>
      <Icon size={15} aria-hidden />
      <span className="leg-name">{legLabels[leg]}</span>
      <span className="leg-outcome">{outcomeText(result)}</span>
      <span className="leg-detail">
        <Isolated>{detail}</Isolated>
      </span>
      <span className="number muted-text">
        {outcome === 'skipped' || ms === 0 ? '' : `${numberText(Math.round(ms))} ms`}
      </span>
      {fault !== null && (
        <p className="leg-fault">
          <TeamFaultText fault={fault} />
        </p>
      )}
    </li>
  )
}
