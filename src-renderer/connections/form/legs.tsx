import { explain } from '../../../src-shared/model/fault.ts'
import type { Leg, LegResult } from '../../../src-shared/model/connection.ts'
import { FaultNote, FaultWords } from '../../lib/ui/fault-note.tsx'
import { TestSteps } from '../../lib/ui/test-steps.tsx'
import type { TestState } from './test.ts'

const legLabels: Record<Leg, string> = {
  name: 'Host name',
  tls: 'Secure connection',
  token: 'Access token',
  query: 'Query',
  socket: 'WebSocket',
}
const outcomeLabels: Record<LegResult['outcome'], string> = { ok: 'works', failed: 'fails', skipped: 'not tried' }

/** The result of a connection's test, leg by leg. */
export function Legs({ test: { state }, test }: { test: TestState }) {
  const legs = test.state === 'done' ? test.legs : []
  return (
    <TestSteps
      state={state}
      isOutdated={test.outdated === true}
      busyText="Testing host name, secure connection, token, query and WebSocket…"
      failure={test.state === 'failed' && <FaultNote fault={test.fault} />}
      summary={summaryText(legs)}
      steps={legs.map((leg) => ({
        ...leg,
        key: leg.leg,
        name: legLabels[leg.leg],
        outcomeText: outcomeLabels[leg.outcome],
        fault: leg.fault && <FaultWords {...explain(leg.fault)} detail={leg.fault.detail} />,
      }))}
    />
  )
}

function summaryText(legs: readonly LegResult[]): string {
  const failed = legs.find(({ outcome }) => outcome === 'failed')
  return failed === undefined ? 'Passed, not saved.' : `Failed at: ${legLabels[failed.leg]}. Not saved.`
}
