import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../src-shared/fault.ts'
import type { Counts, StatusFilter } from '../../src-shared/model.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { syncsWords } from '../words/link.ts'
import { many, total } from '../words/numbers.ts'
import type { Inventory } from './inventory.ts'
import { useNothingRead } from './unread.ts'

/** What stands where rows would: loading, none, and not yet seen are three different things, and look it. */
export function NoRows({ inventory }: { inventory: Inventory }) {
  const held = useStore(inventory.rows.state)
  const view = useStore(inventory.view)
  const { counts } = useStore(inventory.scope.state)
  const unread = useNothingRead()
  if (held.fault !== null && held.fault.kind !== 'stopped') return <Said title={explain(held.fault).title}>{explain(held.fault).advice}</Said>
  if (held.total === null) return <Skeletons />
  if (held.total > 0 || held.pending) return null
  if (unread) return <NotYet />
  if (view.text.trim() !== '') return <NoMatch inventory={inventory} text={view.text.trim()} />
  return <Said title={noneTitle(view.status, counts)}>{noneAdvice(view.status, counts)}</Said>
}

function Said({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="no-rows" role="status">
      <p className="no-rows-title">{title}</p>
      {children !== undefined && <div className="no-rows-text">{children}</div>}
    </div>
  )
}

function NoMatch({ inventory, text }: { inventory: Inventory; text: string }) {
  const { path, status } = useStore(inventory.view)
  const last = path.at(-1)
  return (
    <Said title="Nothing matches.">
      <p>No {status === 'any' ? 'device' : `${filterWords[status]} device`} in {last === undefined ? 'the estate' : <bdi>{last.name}</bdi>} has “<bdi>{text.slice(0, 60)}</bdi>” in its name, model, site, room, tenant or id.</p>
      <Button className="button" onPress={() => inventory.setText('')}>Clear the filter</Button>
    </Said>
  )
}

/** The estate was never read: nothing is claimed about it. */
function NotYet() {
  const { session } = useSurroundings()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  const words = useWords((now) => syncsWords(connections, now))
  return <Said title="No reading yet.">{words === '' ? 'Devices appear here with the first reading.' : `${words}.`}</Said>
}

function Skeletons() {
  return (
    <div className="skeletons" aria-hidden="true">
      {Array.from({ length: 14 }, (_, index) => <div key={index} className="skeleton-row"><span className="skeleton" /><span className="skeleton" /><span className="skeleton" /></div>)}
    </div>
  )
}

const filterWords: Record<StatusFilter, string> = { any: '', down: 'offline', connected: 'online', disconnected: 'offline', unknown: 'unknown' }

function noneTitle(status: StatusFilter, counts: Counts | null): string {
  if (counts !== null && total(counts) === 0) return 'There are no devices here.'
  if (status === 'down') return 'Nothing is down.'
  return status === 'any' ? 'There are no devices here.' : `No device here is ${filterWords[status]}.`
}

function noneAdvice(status: StatusFilter, counts: Counts | null): string {
  if (counts === null || total(counts) === 0) return ''
  if (status !== 'down' && status !== 'disconnected') return ''
  const online = `${many(counts.connected, 'device')} ${counts.connected === 1 ? 'is' : 'are'} online.`
  return counts.unknown === 0 ? online : `${online} ${many(counts.unknown, 'device')} cannot be seen now.`
}
