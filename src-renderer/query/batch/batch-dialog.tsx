import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { BatchCost } from '../../../src-shared/model/batch.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import { activeTab, tabs, type Batch } from '../query-state.ts'
import { readVariables } from '../variables.ts'
import { costLines } from './batch-text.ts'
import { runBatch } from './run-batch.ts'

interface Props {
  kind: 'pages' | 'tenants'
  connection: string
  operation: string | null
  onDone: () => void
}

/** Says what a batch would cost, and starts it. */
export function BatchDialog({ kind, connection, operation, onDone }: Props) {
  const { session } = useAppContext()
  const [chosen, setChosen] = useState<readonly string[]>([connection])
  const [toEnd, setToEnd] = useState(false)
  const [{ document, variables }] = useState(() => activeTab(tabs.get()))
  const read = readVariables(variables)
  const tenants = kind === 'tenants'
  const batch: Batch | null =
    'problem' in read
      ? null
      : { connections: [...chosen], document, operation, variables: read.values, pages: !tenants || toEnd, tenants }
  const cost = useCost(chosen.length === 0 ? null : batch)
  const title = tenants ? 'Run in all tenants' : 'Run all pages'
  const answered = cost?.ok === true ? cost.value : null
  const isReady = answered !== null && answered.problem === null && batch !== null && chosen.length > 0
  const run = () => {
    if (batch === null) return
    onDone()
    void runBatch(session.pipe, batch, null)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()} isDismissable>
      <Modal className="modal wide">
        <Dialog className="dialog batch-dialog">
          <Heading slot="title">{title}</Heading>
          <p>
            {tenants
              ? 'Runs the operation once for each tenant, in the tenant’s own region, and fills its variable. The answer is one list, whose rows begin with their tenant.'
              : 'Reads the paged field page after page to its end. The answer is one list of its rows.'}
          </p>
          {tenants && <Connections chosen={chosen} onChange={setChosen} />}
          {tenants && answered !== null && <AllPages cost={answered} selected={toEnd} onChange={setToEnd} />}
          <FaultNote
            fault={'problem' in read ? { kind: 'input', detail: read.problem } : cost?.ok === false ? cost.fault : null}
          />
          {chosen.length === 0 ? <p>Choose a connection.</p> : <CostTable cost={answered} />}
          <div className="dialog-actions">
            <Button className="button" onPress={onDone}>
              Cancel
            </Button>
            <Button className="button primary" isDisabled={!isReady} onPress={run}>
              <Play size={14} aria-hidden />
              {title}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function useCost(batch: Batch | null): Answer<BatchCost> | null {
  const { session } = useAppContext()
  const { value, current } = useCall(batch === null ? null : JSON.stringify(batch), async () =>
    batch === null ? null : session.pipe.call('query.batchCost', batch),
  )
  return current ? value : null
}

function Connections({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  if (connections.length < 2) return null
  return (
    <fieldset className="batch-connections">
      <legend>Connections</legend>
      {connections.map(({ id, name, paused }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={paused}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
          <Isolated>{name}</Isolated>
          {paused && <span className="muted-text">paused</span>}
        </label>
      ))}
    </fieldset>
  )
}

const none: readonly never[] = []

function AllPages({
  cost: { field, notPaged },
  selected,
  onChange,
}: {
  cost: BatchCost
  selected: boolean
  onChange: (selected: boolean) => void
}) {
  return (
    <>
      <label className="batch-pages">
        <input
          type="checkbox"
          checked={selected}
          disabled={field === null && !selected}
          onChange={({ target }) => onChange(target.checked)}
        />
        All pages of each tenant
      </label>
      {field === null && <p className="muted-text">{notPaged}</p>}
    </>
  )
}

/** The cost of a batch; null while it is asked for. */
function CostTable({ cost }: { cost: BatchCost | null }) {
  const lines = useTickedText((now) => (cost === null ? '[]' : JSON.stringify(costLines(cost, now))))
  if (cost === null) return <p className="muted-text">Asking for the cost…</p>
  if (cost.problem !== null)
    return (
      <p role="alert" className="query-warning">
        <Isolated>{cost.problem}</Isolated>
      </p>
    )
  return (
    <>
      <dl className="batch-cost">
        {(JSON.parse(lines) as [string, string][]).map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Isolated>{text}</Isolated>
            </dd>
          </div>
        ))}
      </dl>
      {cost.isRejected && (
        <p role="alert" className="query-warning">
          The service would reject each page as too expensive: ask for smaller pages, or for fewer fields.
        </p>
      )}
    </>
  )
}
