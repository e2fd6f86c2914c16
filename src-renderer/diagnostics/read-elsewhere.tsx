import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'
import { readElsewhereTexts } from '../team/words.ts'

const none: readonly never[] = []
const followed =
  'requests, queue and live connection are now in the diagnostics and the support bundle of that Muster, and not in these'

/** In a team, says which connections other members read: this Muster only follows what those tell of them. */
export function ReadElsewhere() {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? none
  return readElsewhereTexts(connections, followed).map((text) => (
    <p className="diagnostics-note" key={text}>
      {text}
    </p>
  ))
}

/** What is known here of the live connection of a connection before anything happened to it here. */
export function NothingYet({ connection }: { connection: string }) {
  const { session } = useAppContext()
  const isElsewhere = useStore(
    session.state,
    ({ app }) => app?.connections.find(({ id }) => id === connection)?.readBy !== undefined,
  )
  return isElsewhere ? 'read by another member of the team' : 'nothing has happened yet'
}
