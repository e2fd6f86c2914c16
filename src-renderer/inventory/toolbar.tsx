import { ChevronRight, X } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useStore } from '../store.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { blinded, figure, many, total } from '../words/numbers.ts'
import { FilterProblem } from './filter-problem.tsx'
import { furtherName } from './column-layout.ts'
import type { Inventory } from './inventory.ts'
import { NameText } from './name-text.tsx'
import { chipsOf, withoutTerm } from './segments.ts'
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
            ? <span className="crumb-here" aria-current="location"><NameText name={place.name} clip /></span>
            : <Button className="crumb" onPress={() => inventory.setPath(path.slice(0, index + 1))}><NameText name={place.name} clip /></Button>}
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

/** How many devices are listed and by which terms; each term can be taken away. Then what is wrong, and what is not the whole truth. */
export function Terms({ inventory }: { inventory: Inventory }) {
  const filter = useStore(inventory.view, (view) => view.filter)
  return (
    <div className="terms">
      <Matches inventory={inventory} />
      <ul className="chips" aria-label="Terms of the filter">
        {chipsOf(filter).map(({ index, text, full }) => (
          <li key={`${index} ${full}`}>
            <Button className="chip" aria-label={text === full ? `Take away ${text}` : `Take away ${text}, ${full}`} onPress={() => inventory.setFilter(withoutTerm(filter, index))}>
              <bdi className="clip" title={full.slice(0, 2000)}>{text}</bdi><X size={12} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <FilterProblem inventory={inventory} />
      <Unread inventory={inventory} />
    </div>
  )
}

function Matches({ inventory }: { inventory: Inventory }) {
  const { total, pending } = useStore(inventory.rows.state)
  return <span className="matches" role="status">{total === null || pending ? ' ' : `${figure(total)} listed`}</span>
}

/** Sorted or filtered by a further column that is not read for all: the answer is not the whole truth, and says so. */
function Unread({ inventory }: { inventory: Inventory }) {
  const unread = useStore(inventory.unread)
  return (
    <div className="unread" role="status">
      {unread.map(({ column, read, of }) => <p key={column}><strong>{furtherName(column) ?? column}</strong> is read for {figure(read)} of {many(of, 'device')} so far.</p>)}
    </div>
  )
}
