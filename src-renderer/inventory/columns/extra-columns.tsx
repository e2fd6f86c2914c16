import { Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { explain, faultSentence, type Fault } from '../../../src-shared/model/fault.ts'
import type { ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Cost } from '../../../src-shared/model/gauge.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { costText } from '../../lib/format/points.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { fieldLabels } from './labels.ts'
import type { Inventory } from '../inventory.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** With more fields than this, the list has a search field. */
const manyFields = 12

/** Fields that the services offer beyond the base fields. Each is read only on request, after its cost was shown. */
export function ExtraColumns({ inventory }: { inventory: Inventory }) {
  const { session } = useAppContext()
  const columns = useStore(session.state, ({ app }) => app?.columns) ?? none
  const [wanted, setWanted] = useState('')
  const found = columns.filter(
    ({ name, on }) =>
      on || [name, fieldLabels(name)].some((word) => word.toLowerCase().includes(wanted.trim().toLowerCase())),
  )
  if (columns.length === 0) return <p className="columns-note">The services that were read offer no more fields.</p>
  return (
    <fieldset className="extra-list">
      <legend>More fields</legend>
      {columns.length > manyFields && (
        <div className="extra-find">
          <Search size={13} aria-hidden />
          <input
            type="text"
            value={wanted}
            aria-label="Find a field"
            placeholder={`Find among ${numberText(columns.length)} fields`}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
      )}
      <div className="extra-scroll">
        {found.map((column) => (
          <ExtraColumnLine key={column.name} inventory={inventory} column={column} />
        ))}
        {found.length === 0 && <p className="columns-note">No field has “{wanted}” in its name.</p>}
      </div>
    </fieldset>
  )
}

const none: readonly ExtraColumn[] = []

function ExtraColumnLine({ inventory, column }: { inventory: Inventory; column: ExtraColumn }) {
  const { session } = useAppContext()
  const { name, on } = column
  const word = fieldLabels(name)
  const [asking, setAsking] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const id = `extra-${name}`

  /** Moves the focus to the column, because the buttons beside the cost disappear. */
  function leave() {
    document.getElementById(id)?.focus()
    setAsking(false)
  }

  async function put(to: boolean) {
    leave()
    const answer = await session.pipe.call('columns.switch', { name, on: to })
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) inventory.columns.toggle(`extra:${name}`, to)
  }

  return (
    <div className="extra-line">
      <label htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={on || asking}
          aria-describedby={`${id}-words`}
          onChange={() => (on ? void put(false) : setAsking(!asking))}
        />
        <Isolated className="clip" title={name}>
          {word}
        </Isolated>
        {word !== name && (
          <span className="field-name clip" aria-hidden="true">
            {name}
          </span>
        )}
      </label>
      <div id={`${id}-words`} className="extra-text" role="status">
        {progressText(column)}
      </div>
      {asking && !on && <CostLine name={name} onTake={() => void put(true)} onLeave={leave} />}
      {fault !== null && <p className="extra-fault">{faultSentence(fault)}</p>}
    </div>
  )
}

/** Returns the progress of reading a column; a fault comes first. */
export function progressText({ on, read, of, reading, fault }: ExtraColumn): string {
  if (!on) return ''
  const share = `${numberText(read)} of ${many(of, 'device')}`
  if (fault !== null) return `Stopped at ${share}: ${explain(fault).title}`
  if (reading) return `Loading: ${share}`
  return read < of ? `Loaded for ${share}` : `Loaded for all ${many(of, 'device')}`
}

/** The cost of loading a field, before it is done. Without `onLeave` there is no cancel button. */
export function CostLine({ name, onTake, onLeave }: { name: string; onTake: () => void; onLeave?: () => void }) {
  const { session } = useAppContext()
  const { value: answer } = useCall(name, () => session.pipe.call('columns.cost', { name }))
  return (
    <div className="cost-line" role="status">
      <p>
        {answer === null
          ? 'Asking for the cost…'
          : answer.ok
            ? loadCostText(answer.value)
            : faultSentence(answer.fault)}
      </p>
      <span className="cost-actions">
        <Button
          className="button primary"
          isDisabled={answer?.ok !== true}
          aria-label={`Load ${fieldLabels(name)}`}
          onPress={onTake}
        >
          Load
        </Button>
        {onLeave !== undefined && (
          <Button className="button" onPress={onLeave}>
            Cancel
          </Button>
        )}
      </span>
    </div>
  )
}

/** Returns for example "Loads 5,000 devices, 12,400 points, about 40 s." Null: another member of the team loads it. */
export function loadCostText(cost: Cost | null): string {
  if (cost === null) return 'Another member of the team loads it, for all. Its cost is not known here.'
  return `Loads ${costText(cost)}.${cost.known ? '' : ' An estimate: nothing similar was loaded before.'}`
}
