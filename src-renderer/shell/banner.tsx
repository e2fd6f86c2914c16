import { TriangleAlert } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { AppState } from '../session.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { span } from '../words/time.ts'
import { coreLost, troubles, type Trouble } from '../words/trouble.ts'

interface Props {
  app: AppState
  /** The connections' troubles are told in full elsewhere on the screen. */
  quiet: boolean
  onEdit: (id: string) => void
}

/** What stands between Muster and the estate, in words, with what to do. Always in the document, so that it is read out when it comes. */
export function Banner({ app, quiet, onEdit }: Props) {
  const { session } = useSurroundings()
  const reach = useStore(session.state, (state) => state.reach)
  const lostFor = useWords((now) => (reach.state === 'lost' ? span(now - reach.at) : ''))
  const lost = coreLost(reach, lostFor)
  const all = lost === null ? (quiet ? [] : troubles(app.connections)) : [lost]
  return (
    <div role="status">
      {all.slice(0, 3).map((trouble) => <TroubleLine key={trouble.connection?.id ?? 'core'} trouble={trouble} onEdit={onEdit} />)}
      {all.length > 3 && <p className="bar bar-trouble">{all.length - 3} more connections have trouble. See Connections.</p>}
    </div>
  )
}

function TroubleLine({ trouble, onEdit }: { trouble: Trouble; onEdit: (id: string) => void }) {
  const { session } = useSurroundings()
  const { connection } = trouble
  return (
    <div className="bar bar-trouble">
      <TriangleAlert size={16} aria-hidden />
      <p>
        <strong>{trouble.who !== null && <><bdi>{trouble.who}</bdi>: </>}{trouble.title}</strong> {trouble.advice}
        {trouble.detail !== '' && <span className="particulars"> <bdi>{trouble.detail}</bdi></span>}
      </p>
      {connection?.act === 'edit' && <Button className="button" onPress={() => onEdit(connection.id)}>Edit connection</Button>}
      {connection !== null && <Button className="button" onPress={() => void session.pipe.call('connections.retry', { id: connection.id })}>Retry now</Button>}
    </div>
  )
}
