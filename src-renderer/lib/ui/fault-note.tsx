import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { inputText } from '../format/input.ts'
import { Isolated } from './isolated.tsx'

/** What an act came to when it failed, said at once; always in the document, so that it is read out. */
export function FaultNote({ fault }: { fault: Fault | null }) {
  return (
    <div role="alert">
      {fault !== null && (
        <p className="form-fault">
          <FaultText fault={fault} />
        </p>
      )}
    </div>
  )
}

/** What was typed and cannot be used says by itself what to do. */
function FaultText({ fault, fault: { kind, detail } }: { fault: Fault }) {
  const { title, advice } = explain(fault)
  if (kind === 'input' && detail !== '') return <Isolated>{inputText(detail)}</Isolated>
  return (
    <>
      <strong>{title}</strong> {advice}
      {detail !== '' && (
        <span className="particulars">
          {' '}
          <Isolated>{detail}</Isolated>
        </span>
      )}
    </>
  )
}
