import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import type { Incidents } from '../incidents.ts'
import { stateLabels, type ListState } from '../format.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Replaces the rows while there are none. Loading, a fault, no match and no incidents each have their own text. */
export function NoIncidents({ incidents, coreLost }: { incidents: Incidents; coreLost: boolean }) {
  const loaded = useStore(incidents.rows.state)
  const view = useStore(incidents.view)
  const counts = useStore(incidents.counts)
  if (loaded.fault !== null && loaded.fault.kind !== 'stopped' && (loaded.total ?? 0) === 0)
    return <EmptyList title={explain(loaded.fault).title}>{explain(loaded.fault).advice}</EmptyList>
  if (loaded.total === null)
    return coreLost ? (
      <EmptyList title="No incidents loaded.">Incidents appear when Muster’s core answers.</EmptyList>
    ) : (
      <Skeletons />
    )
  if (loaded.total > 0 || loaded.pending) return null
  if (view.text.trim() !== '') {
    const elsewhere = counts === null ? 0 : counts[view.state]
    return (
      <EmptyList title="No incidents match.">
        <p>
          None of {many(elsewhere, 'incident')} under {stateLabels[view.state]} contains{' '}
          <Isolated>“{view.text.slice(0, 100)}”</Isolated>.
        </p>
        <Button className="button" onPress={() => incidents.ask({ text: '' })}>
          Clear the filter
        </Button>
      </EmptyList>
    )
  }
  return <None state={view.state} coreLost={coreLost} />
}

function None({ state, coreLost }: { state: ListState; coreLost: boolean }) {
  const { session } = useAppContext()
  const without = useStore(session.state, ({ app }) => app?.connections.length === 0)
  const unseen = useStore(session.state, ({ app }) => app?.incidents.monitoringLost ?? 0)
  if (state === 'acknowledged')
    return (
      <EmptyList title="No acknowledged or snoozed incidents.">
        Acknowledged and snoozed incidents stay here until they close.
      </EmptyList>
    )
  if (state === 'closed')
    return <EmptyList title="No closed incidents.">Closed incidents stay here for 400 days.</EmptyList>
  if (without)
    return (
      <EmptyList title="There is no connection yet.">
        Incidents appear when Muster watches devices. Add a connection under Connections.
      </EmptyList>
    )
  if (coreLost)
    return (
      <EmptyList title="No open incidents.">Muster’s core is not running. Newer incidents are not known.</EmptyList>
    )
  return (
    <EmptyList title="No open incidents.">
      {unseen === 0 ? 'Devices that stay down appear here.' : `Monitoring lost for ${many(unseen, 'tenant')}.`}
    </EmptyList>
  )
}

function EmptyList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="no-rows" role="status">
      <p className="no-rows-title">{title}</p>
      <div className="no-rows-text">{children}</div>
    </div>
  )
}

function Skeletons() {
  return (
    <div className="skeletons" aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="skeleton-row incident-skeleton">
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  )
}
