import { ChevronRight, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { statusFilter, type StatusFilter } from '../../src-shared/model.ts'
import { useStore } from '../store.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { blinded, figure, many, total } from '../words/numbers.ts'
import type { Inventory } from './inventory.ts'
import { useNothingRead } from './unread.ts'

/** Where the table looks: the way from everything down to the scope, each step a way back. */
export function Breadcrumb({ inventory }: { inventory: Inventory }) {
  const { path } = useStore(inventory.view)
  if (path.length === 0) return <p className="breadcrumb"><span className="crumb-here">Everything</span></p>
  return (
    <nav className="breadcrumb" aria-label="Scope">
      <Button className="crumb" onPress={() => inventory.setPath([])}>Everything</Button>
      {path.map((place, index) => (
        <span className="crumb-step" key={place.id}>
          <ChevronRight size={12} aria-hidden />
          {index === path.length - 1
            ? <span className="crumb-here" aria-current="location"><bdi className="clip" title={place.name}>{place.name}</bdi></span>
            : <Button className="crumb" onPress={() => inventory.setPath(path.slice(0, index + 1))}><bdi className="clip">{place.name}</bdi></Button>}
        </span>
      ))}
      <Button className="crumb-clear" aria-label="Back to everything" onPress={() => inventory.setPath([])}><X size={12} aria-hidden />Clear</Button>
    </nav>
  )
}

/** The sentence over the table: what there is in the scope. */
export function Totals({ inventory, blind }: { inventory: Inventory; blind: boolean }) {
  const { counts: seen } = useStore(inventory.scope.state)
  const unread = useNothingRead()
  if (unread) return <h1 className="totals">No reading yet</h1>
  if (seen === null) return <h1 className="totals"><span className="skeleton" /></h1>
  const counts = blind ? blinded(seen) : seen
  return (
    <h1 className="totals">
      <span className="totals-all">{many(total(counts), 'device')}:</span>{' '}
      <span className={counts.connected > 0 ? 'status-connected' : 'totals-zero'}><StatusMark status="connected" />{figure(counts.connected)} online,</span>{' '}
      <span className={counts.disconnected > 0 ? 'status-disconnected' : 'totals-zero'}><StatusMark status="disconnected" />{figure(counts.disconnected)} offline,</span>{' '}
      <span className={counts.unknown > 0 ? 'status-unknown' : 'totals-zero'}><StatusMark status="unknown" />{figure(counts.unknown)} unknown</span>
    </h1>
  )
}

const choices: readonly { status: StatusFilter; word: string }[] = [
  { status: 'down', word: 'Down now' },
  { status: 'any', word: 'All' },
  { status: 'connected', word: 'Online' },
  { status: 'disconnected', word: 'Offline' },
  { status: 'unknown', word: 'Unknown' },
]

export function StatusChoice({ inventory, blind }: { inventory: Inventory; blind: boolean }) {
  const status = useStore(inventory.view, (view) => view.status)
  const scope = useStore(inventory.scope.state)
  const unread = useNothingRead()
  const { counts: seen, down } = unread ? { counts: null, down: null } : scope
  const counts = seen !== null && blind ? blinded(seen) : seen
  // While nothing can be seen, what is listed is what was down when it was last seen.
  const allUnknown = counts !== null && counts.unknown > 0 && counts.unknown === total(counts)
  const figures: Record<StatusFilter, number | null> = {
    down,
    any: counts && total(counts),
    connected: counts && counts.connected,
    disconnected: counts && counts.disconnected,
    unknown: counts && counts.unknown,
  }
  return (
    <ToggleButtonGroup
      className="segments" aria-label="Which devices" selectionMode="single" disallowEmptySelection selectedKeys={[status]}
      onSelectionChange={([key]) => inventory.setStatus(statusFilter.parse(key))}
    >
      {choices.map(({ status, word }) => (
        <ToggleButton key={status} id={status} className="segment">
          {status === 'down' && allUnknown ? 'Was down' : word}{figures[status] !== null && <span className="segment-count">{figure(figures[status])}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** Free text, sent to the core 120 ms after the last letter. Escape clears; Enter and the down arrow go to the rows. */
export function TextFilter({ inventory, onDone }: { inventory: Inventory; onDone: () => void }) {
  const asked = useStore(inventory.view, ({ text }) => text)
  const [typed, setTyped] = useState(asked)
  const [sent, setSent] = useState(asked)
  if (asked !== sent) {
    // Cleared or set from elsewhere: the field follows.
    setSent(asked)
    setTyped(asked)
  }
  useEffect(() => {
    if (typed === sent) return undefined
    const timer = setTimeout(() => {
      setSent(typed)
      inventory.setText(typed)
    }, 120)
    return () => clearTimeout(timer)
  }, [typed, sent, inventory])

  return (
    <div className="filter" role="search">
      <Search size={14} aria-hidden />
      <input
        id="filter" type="text" value={typed} aria-label="Filter devices" placeholder="Filter by name, model, room…" spellCheck={false} autoComplete="off" maxLength={10_000}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') setTyped('')
          else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'Escape') onDone()
          else return
          event.preventDefault()
        }}
      />
      {typed === '' ? <kbd aria-hidden="true">/</kbd> : <Matches inventory={inventory} />}
      {typed !== '' && <Button className="icon-button" aria-label="Clear the filter" onPress={() => setTyped('')}><X size={14} aria-hidden /></Button>}
    </div>
  )
}

function Matches({ inventory }: { inventory: Inventory }) {
  const { total, pending } = useStore(inventory.rows.state)
  const words = total === null || pending ? '' : `${figure(total)} found`
  return <span className="matches" role="status">{words}</span>
}
