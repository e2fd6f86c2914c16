import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { inputText } from '../format/input.ts'
import { Isolated } from './isolated.tsx'

/** The fault of a failed action. `advice`: instead of the usual one. It is always in the document, so that screen readers announce it. */
export function FaultNote({ fault, advice }: { fault: Fault | null; advice?: string }) {
  return (
    <div role="alert">
      {fault !== null && (
        <p className="form-fault">
          <FaultText fault={fault} advice={advice ?? explain(fault).advice} />
        </p>
      )}
    </div>
  )
}

/** The text of a fault. For invalid input the detail alone says what to do. */
function FaultText({ fault, fault: { kind, detail }, advice }: { fault: Fault; advice: string }) {
  const { title } = explain(fault)
  if (kind === 'input' && detail !== '') return <Isolated>{inputText(detail)}</Isolated>
  return <FaultWords title={title} advice={advice} detail={detail} />
}

/** The words of a fault: what it is, what to do, and the particulars. */
export function FaultWords({ title, advice, detail }: { title: string; advice: string; detail: string }) {
  return (
    <>
      <strong>{title}</strong> {advice}
      {detail !== '' && (
        <span className="fault-detail">
          {' '}
          <Isolated>{detail}</Isolated>
        </span>
      )}
    </>
  )
}
