import { RotateCw } from 'lucide-react'

import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { Cost, RefreshCost } from '../../../src-shared/model/gauge.ts'
import type { Inventory } from '../../inventory/inventory.ts'
import type { Place } from '../../inventory/filter/view.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { costText } from '../../lib/format/points.ts'
import { many } from '../../lib/format/numbers.ts'
import type { Refresh } from './use-refresh.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  inventory: Inventory
  refresh: Refresh
  disabled: boolean
}

/** The refresh menu. It shows the cost before anything is read; the status bar shows the progress. */
export function RefreshMenu({ inventory, refresh, disabled }: Props) {
  const { asking, ask } = refresh
  return (
    <DialogTrigger isOpen={asking !== null} onOpenChange={(open) => ask(open ? 'place' : null)}>
      <Button id="refresh" className="button subtle" isDisabled={disabled}>
        <RotateCw size={14} aria-hidden />
        Refresh
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="dialog small refresh-dialog">
          <Heading slot="title">Refresh</Heading>
          {asking !== null && <Choices inventory={inventory} refresh={refresh} first={asking} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Choices({ inventory, refresh, first }: Pick<Props, 'inventory' | 'refresh'> & { first: 'place' | 'all' }) {
  const path = useStore(inventory.view, (view) => view.path)
  const place = path.at(-1)
  const here = useCost(place?.id ?? everything)
  const all = useCost(everything)
  const read = (scope: string, status: boolean, words: string) => {
    refresh.ask(null)
    void refresh.read(scope, status).then((begun) => begun && status && inventory.actions.showMessage(words))
  }
  const status = here.cost?.status ?? null
  const chosen = first === 'all' || place === undefined ? 'all' : status === null ? 'full' : 'status'
  // The buttons are rendered after their costs are known, so that the intended one can take the focus.
  if (here.cost === null && here.fault === null)
    return (
      <p className="refresh-note" role="status">
        Asking for the cost…
      </p>
    )
  return (
    <>
      {place !== undefined && status !== null && (
        <Choice
          label={`Refresh ${isolated(place.name)}`}
          note="Status of its known devices"
          cost={status}
          main={chosen === 'status'}
          onTake={() => read(place.id, true, `Refreshed the status of ${many(status.devices, 'device')}.`)}
        />
      )}
      {place !== undefined && here.cost !== null && (
        <Choice
          label={fullLabel(path, here.cost)}
          note={
            path.length > 2 ? 'The whole tenant: also finds new and moved devices' : 'Also finds new and moved devices'
          }
          cost={here.cost.full}
          main={chosen === 'full'}
          onTake={() => read(place.id, false, '')}
        />
      )}
      {all.cost !== null && (
        <Choice
          label="Sync all tenants"
          note={`${many(all.cost.full.tenants, 'tenant')}, whatever place is chosen`}
          cost={all.cost.full}
          main={chosen === 'all'}
          onTake={() => read(everything, false, '')}
        />
      )}
      {here.fault !== null && (
        <p className="refresh-note">
          {explain(here.fault).title} {explain(here.fault).advice}
        </p>
      )}
    </>
  )
}

/** Returns for example "Sync Acme"; for a region, the number of its tenants. */
function fullLabel(path: readonly Place[], { full }: RefreshCost): string {
  const [region, tenant] = path
  return tenant === undefined
    ? `Sync ${many(full.tenants, 'tenant')} of ${isolated(region?.name ?? '')}`
    : `Sync ${isolated(tenant.name)}`
}

interface ChoiceProps {
  label: string
  note: string
  cost: Cost
  /** The requested choice, which has the focus, so that Enter takes it. */
  main: boolean
  onTake: () => void
}

function Choice({ label, note, cost, main, onTake }: ChoiceProps) {
  return (
    <div className="refresh-choice">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was called up has the focus */}
      <Button className={main ? 'button primary' : 'button'} autoFocus={main} onPress={onTake}>
        <Isolated className="clip">{label}</Isolated>
      </Button>
      <p>
        <span className="refresh-cost">
          {cost.devices === 0 && cost.points === 0 ? 'No connection can sync this now.' : costText(cost)}
        </span>
        <span className="refresh-note">{note}</span>
      </p>
    </div>
  )
}

function useCost(scope: string): { cost: RefreshCost | null; fault: Fault | null } {
  const { session } = useAppContext()
  const { value: answer, current } = useCall(scope, () => session.pipe.call('sync.cost', { scope }))
  if (answer === null || !current) return { cost: null, fault: null }
  return answer.ok ? { cost: answer.value, fault: null } : { cost: null, fault: answer.fault }
}
