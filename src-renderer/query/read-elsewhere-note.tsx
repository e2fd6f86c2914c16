import { queriesElsewhereText } from '../team/words.ts'
import { useRunsElsewhere } from './use-runs-elsewhere.ts'

/** Says that only another member of the team can run anything here; nothing where this Muster can. */
export function ReadElsewhereNote({ connection }: { connection: string | null }) {
  const operator = useRunsElsewhere(connection)
  if (operator === null) return null
  return (
    <p className="screen-note" role="status">
      {queriesElsewhereText(operator)}
    </p>
  )
}
