import { queriesElsewhereText } from '../team/words.ts'
import { useReadBy } from './use-read-by.ts'

/** Says that another member of the team reads the connection; nothing where this Muster does. */
export function ReadElsewhereNote({ connection }: { connection: string | null }) {
  const readBy = useReadBy(connection)
  if (readBy === null) return null
  return (
    <p className="screen-note" role="status">
      {queriesElsewhereText(readBy)}
    </p>
  )
}
