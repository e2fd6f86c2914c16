import { RotateCw, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { many } from '../../lib/format/numbers.ts'
import { canRetry } from '../../lib/format/faults.ts'
import type { Line } from './grouping.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

type Group = Extract<Line, { kind: 'group' }>

/** The error that several connections share, its next step, and the connections. */
export function GroupDetails({
  group: { title, advice, members },
  coreLost,
  onChoose,
}: {
  group: Group
  coreLost: boolean
  onChoose: (id: string) => void
}) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const waiting = members.filter(canRetry)
  async function retry() {
    const answers = await Promise.all(waiting.map(({ id }) => session.pipe.call('connections.retry', { id })))
    const failed = answers.find((answer) => !answer.ok)
    setFault(failed?.ok === false ? failed.fault : null)
  }
  return (
    <section className="connection-detail" id="connection" tabIndex={-1} aria-label="Connections with the same error">
      <header className="connection-head">
        <h2>{many(members.length, 'connection')}</h2>
      </header>
      {waiting.length > 0 && (
        <div className="actions" role="group" aria-label="Actions">
          <Button className="button primary" isDisabled={coreLost} onPress={() => void retry()}>
            <RotateCw size={14} aria-hidden />
            Retry all {waiting.length} now
          </Button>
        </div>
      )}
      <FaultNote fault={fault} />
      <ul className="faults" aria-label="Errors">
        <li>
          <TriangleAlert size={15} aria-hidden />
          <p>
            <strong>{title}</strong> {advice}
          </p>
        </li>
      </ul>
      <ul className="group-members" aria-label="Connections with this error">
        {members.map(({ id, name }) => (
          <li key={id}>
            <Button className="button subtle" onPress={() => onChoose(id)}>
              <Isolated className="clip">{name}</Isolated>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
