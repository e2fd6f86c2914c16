import { TriangleAlert } from 'lucide-react'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { fieldLabels } from '../columns/labels.ts'

/** The difference between the service's clock and this computer's, where an operator compares times of both. */
export function ClockNote({ connections }: { connections: readonly string[] }) {
  const { session } = useAppContext()
  const all = useStore(session.state, ({ app }) => app?.connections)
  const apart = all
    ?.filter(({ id }) => connections.includes(id))
    .flatMap(({ faults }) => faults)
    .find(({ fault }) => fault.kind === 'clock')
  if (apart === undefined) return null
  return (
    <p className="reading clock-note" role="note" aria-label="Clocks differ">
      <TriangleAlert size={13} aria-hidden />
      <span>
        {apart.fault.detail} {fieldLabels('lastDetected')} and {fieldLabels('lastConfigRequestDate')} are by the
        service’s clock.
      </span>
    </p>
  )
}
