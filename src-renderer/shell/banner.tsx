import { TriangleAlert } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { AppState } from '../session.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { many } from '../words/numbers.ts'
import { blindWords, coreLost, troubles, type Trouble } from '../words/trouble.ts'

interface Props {
  app: AppState
  /** The connections' troubles are told in full elsewhere on the screen. */
  quiet: boolean
  onEdit: (id: string) => void
  onShow: () => void
}

/** What stands between Muster and the estate, in words, with what to do. Always in the document, so that it is read out when it comes. */
export function Banner({ app, quiet, onEdit, onShow }: Props) {
  const { session } = useSurroundings()
  const reach = useStore(session.state, (state) => state.reach)
  const lost = useWords((now) => coreLost(reach, app.connections, now) ?? '')
  const all = quiet ? [] : troubles(app.connections)
  const [only, second] = all
  return (
    <div role="status">
      {lost !== '' && <CoreLost words={lost} />}
      {lost === '' && only !== undefined && second === undefined && <TroubleLine trouble={only} onEdit={onEdit} />}
      {lost === '' && second !== undefined && <TroublesLine troubles={all} of={app.connections.length} onShow={onShow} />}
    </div>
  )
}

function CoreLost({ words }: { words: string }) {
  return (
    <div className="bar bar-trouble">
      <TriangleAlert size={16} aria-hidden />
      <p><strong>{words}</strong> Start Muster again. This window stays as it is and connects by itself.</p>
    </div>
  )
}

function TroubleLine({ trouble, onEdit }: { trouble: Trouble; onEdit: (id: string) => void }) {
  const { session } = useSurroundings()
  const { times } = useSettings()
  const { connection: { id }, connection } = trouble
  const blind = useWords((now) => blindWords(connection, now, times))
  return (
    <div className="bar bar-trouble">
      <TriangleAlert size={16} aria-hidden />
      <p>
        <strong><bdi>{trouble.who}</bdi>: {trouble.title}</strong> {trouble.advice}{blind !== '' && <> <span>{blind}</span></>}
        {trouble.detail !== '' && <span className="particulars"> <bdi>{trouble.detail}</bdi></span>}
      </p>
      {trouble.act === 'edit' && <Button className="button" onPress={() => onEdit(id)}>Edit connection</Button>}
      {trouble.act !== null && <Button className="button" onPress={() => void session.pipe.call('connections.retry', { id })}>Retry now</Button>}
    </div>
  )
}

/** Several at once are one line: each of them is told in full in the connections' room. */
function TroublesLine({ troubles: all, of, onShow }: { troubles: readonly Trouble[]; of: number; onShow: () => void }) {
  const named = all.slice(0, 3)
  return (
    <div className="bar bar-trouble">
      <TriangleAlert size={16} aria-hidden />
      <p>
        <strong>{all.length} of {many(of, 'connection')} in trouble:</strong>{' '}
        {named.map(({ who, connection }, index) => <span key={connection.id}>{index > 0 && ', '}<bdi>{who}</bdi></span>)}
        {all.length > named.length && ` and ${many(all.length - named.length, 'other')}`}. The others are not affected.
      </p>
      <Button className="button" onPress={onShow}>Show them</Button>
    </div>
  )
}
