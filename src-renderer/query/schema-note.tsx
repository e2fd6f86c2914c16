import { Button } from 'react-aria-components'
import { explain } from '../../src-shared/model/fault.ts'
import type { KnownSchema } from './use-schema.ts'

interface Props {
  known: KnownSchema | null
  connection: string | null
  onAgain: () => void
}

/** Says why nothing is completed. */
export function SchemaNote({ known, connection, onAgain }: Props) {
  if (connection === null) return null
  if (known === null) return <p className="muted-text">Reading the schema…</p>
  if ('schema' in known) return null
  // The screen says who reads the connection.
  if (known.fault.kind === 'team-lead')
    return (
      <p className="muted-text" role="status">
        Only what is documented is completed, and nothing is checked.
      </p>
    )
  const { title, advice } = explain(known.fault)
  return (
    <p className="muted-text" role="status">
      The service did not tell its schema: only what is documented is completed, and nothing is checked. {title}{' '}
      {advice}{' '}
      <Button className="button" onPress={onAgain}>
        Read again
      </Button>
    </p>
  )
}
