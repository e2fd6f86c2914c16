import { ListRestart } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { BatchOutcome } from '../../../src-shared/model/batch.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import type { Batch } from '../query-state.ts'
import { runBatch } from './run-batch.ts'

interface Props {
  run: string
  input: Batch
  outcome: BatchOutcome
  coreLost: boolean
}

/** Why a batch did not read all, with the way to read the rest. */
export function BatchNotes({ run, input, outcome: { stopped, canContinue, tenants }, coreLost }: Props) {
  const { session } = useAppContext()
  const failures = tenants?.failures ?? []
  return (
    <>
      {stopped !== null && stopped.kind !== 'abort' && <FaultNote fault={stopped} />}
      {failures.length > 0 && (
        <details className="batch-failures">
          <summary>{many(tenants?.failed ?? 0, 'failed tenant')}</summary>
          <ul>
            {failures.map(({ tenantId, tenant, connection, rows, fault }) => (
              <li key={`${connection} ${tenantId}`}>
                <strong>
                  <Isolated>{tenant}</Isolated>
                </strong>{' '}
                {explain(fault).title} {fault.detail !== '' && <Isolated>{fault.detail}</Isolated>}
                {rows > 0 && ` ${many(rows, 'row')} were read before.`}
              </li>
            ))}
          </ul>
          {(tenants?.failed ?? 0) > failures.length && (
            <p className="muted-text">
              The first {numberText(failures.length)} are shown; each is a row of the answer.
            </p>
          )}
        </details>
      )}
      {canContinue && (
        <div>
          <Button className="button" isDisabled={coreLost} onPress={() => void runBatch(session.pipe, input, run)}>
            <ListRestart size={14} aria-hidden />
            {stopped === null && tenants !== null ? 'Retry failed' : 'Continue'}
          </Button>
        </div>
      )}
    </>
  )
}
