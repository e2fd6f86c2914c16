import type { Fault } from '../../src-shared/model/fault.ts'
import { FaultWords } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { explainTeam } from './faults.ts'

/** The text of a fault of the team's database. For invalid input the detail alone says what to do. */
export function TeamFaultText({ fault, fault: { kind, detail } }: { fault: Fault }) {
  if (kind === 'input' && detail !== '') return <Isolated>{detail}</Isolated>
  return <FaultWords {...explainTeam(fault)} detail={detail} />
}

/** The fault of a failed action. It is always in the document, so that screen readers announce it. */
export function TeamFaultNote({ fault }: { fault: Fault | null }) {
  return (
    <div role="alert">
      {fault !== null && (
        <p className="form-fault">
          <TeamFaultText fault={fault} />
        </p>
      )}
    </div>
  )
}
