import type { Incident } from '../../src-shared/model/incidents.ts'
import { useAppContext } from '../lib/context.ts'
import { every, useCall } from '../lib/hooks/use-call.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Part } from '../lib/ui/part.tsx'
import { DeliveryLine } from './deliveries.tsx'

const [maxRows, rereadMs] = [20, 5_000]

/** The messages to channels about an incident, the newest first. Nothing where there are none. */
export function IncidentDeliveries({ incident: { id } }: { incident: Pick<Incident, 'id'> }) {
  const { session } = useAppContext()
  const { value } = useCall(
    id,
    () => session.pipe.call('channels.deliveries', { state: null, incident: id, offset: 0, limit: maxRows }),
    every(rereadMs),
  )
  if (value === null || (value.ok && value.value.total === 0)) return null
  return (
    <Part title="Messages to channels">
      {value.ok ? (
        <ol className="delivery-list" aria-label="Messages to channels">
          {value.value.rows.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      ) : (
        <FaultNote fault={value.fault} />
      )}
    </Part>
  )
}
