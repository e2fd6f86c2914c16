import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Answer } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { fileName } from '../inventory/actions/export-all.ts'
import { useAppContext } from '../lib/context.ts'
import { saveParts } from '../lib/save-file.ts'
import { shellOf } from '../lib/session.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import type { ChangesQuery } from './query.ts'

type State = { is: 'idle' } | { is: 'saving' } | { is: 'saved'; where: string } | { is: 'failed'; fault: Fault }

/** Saves the changes that match as CSV. */
export function SaveChanges({ query, disabled }: { query: ChangesQuery; disabled: boolean }) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<State>({ is: 'idle' })
  async function save() {
    setState({ is: 'saving' })
    const { from, until, kinds, text } = query
    let row: number | null = 0
    const next = async (): Promise<Answer<string> | null> => {
      if (row === null) return null
      const answer = await session.pipe.call('changes.csv', { from, until, kinds: [...kinds], text, row })
      if (!answer.ok) return answer
      row = answer.value.next
      return { ok: true, value: answer.value.text }
    }
    const name = fileName('changes', 'csv', new Date(ticker.exact()))
    const done = await saveParts(session.pipe, shellOf(session), name, 'text/csv', next, () => false)
    if (!done.ok) setState({ is: 'failed', fault: done.fault })
    else setState(done.where === null ? { is: 'idle' } : { is: 'saved', where: done.where })
  }
  return (
    <>
      <Button className="button" isDisabled={disabled || state.is === 'saving'} onPress={() => void save()}>
        <Download size={14} aria-hidden />
        Export CSV
      </Button>
      <span role="status" className="muted-text">
        {state.is === 'saved' && (
          <>
            Saved as <Isolated>{state.where}</Isolated>.
          </>
        )}
      </span>
      <FaultNote fault={state.is === 'failed' ? state.fault : null} />
    </>
  )
}
