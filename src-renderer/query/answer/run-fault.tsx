import { explain, type Fault, type FaultKind } from '../../../src-shared/model/fault.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'

const again = 'Run it again.'

/** What helps where the usual advice speaks of what Muster reads by itself: a query of the operator's is not repeated. */
const advices: Partial<Record<FaultKind, string>> = {
  query: '',
  partial: 'What came is shown.',
  'no-data': '',
  reset: again,
  timeout: 'Run it again, or ask for less at a time.',
  'proxy-away': 'Check the system’s proxy, then your network or VPN, and run it again.',
  http: `${again} If it stays, contact the service’s operator.`,
  token: again,
  'cost-limit': 'Ask for smaller pages or fewer fields.',
  exhausted: 'Run it again after the reset.',
  unavailable: 'Run it again later.',
}

/** Why a run has no answer, or what the service says beside it. Of a mutation the outcomes say what to do. */
export function RunFault({ fault, isMutation }: { fault: Fault; isMutation: boolean }) {
  return <FaultNote fault={fault} advice={isMutation ? '' : (advices[fault.kind] ?? explain(fault).advice)} />
}
