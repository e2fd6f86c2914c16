import { TestSteps } from '../lib/ui/test-steps.tsx'
import { TeamFaultNote, TeamFaultText } from './fault-text.tsx'
import type { TeamTest } from './use-team-test.ts'
import { legLabels, outcomeText, summaryText } from './words.ts'

/** The result of a test of the database, leg by leg. */
export function TeamLegs({ test }: { test: TeamTest }) {
  const legs = test.is === 'done' ? test.legs : []
  return (
    <TestSteps
      state={test.is}
      isOutdated={test.is !== 'busy' && test.isOutdated}
      busyText="Testing the way to the database, step by step…"
      failure={test.is === 'failed' && <TeamFaultNote fault={test.fault} />}
      summary={summaryText(legs)}
      steps={legs.map((leg) => ({
        ...leg,
        key: leg.leg,
        name: legLabels[leg.leg],
        outcomeText: outcomeText(leg),
        fault: leg.fault && <TeamFaultText fault={leg.fault} />,
      }))}
    />
  )
}
