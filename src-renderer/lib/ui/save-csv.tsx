import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../context.ts'
import { saveParts } from '../save-file.ts'
import { shellOf } from '../session.ts'
import { savedState, SaveStatus, type SaveState } from './save-status.tsx'

interface Props {
  /** What the file has, as a part of its name. */
  what: string
  /** Reads the part from a row on. `next`: the row of the next part; null at the end. */
  part: (row: number) => Promise<Answer<{ text: string; next: number | null }>>
  disabled: boolean
}

/** Saves a list as CSV, part by part. */
export function SaveCsv({ what, part, disabled }: Props) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  async function save() {
    setState({ is: 'saving', progress: 'Saving…' })
    let row: number | null = 0
    const next = async (): Promise<Answer<string> | null> => {
      if (row === null) return null
      const answer = await part(row)
      if (!answer.ok) return answer
      row = answer.value.next
      return { ok: true, value: answer.value.text }
    }
    const name = fileName(what, 'csv', new Date(ticker.exact()))
    setState(savedState(await saveParts(session.pipe, shellOf(session), name, 'text/csv', next, () => false)))
  }
  return (
    <>
      <Button className="button" isDisabled={disabled || state.is === 'saving'} onPress={() => void save()}>
        <Download size={14} aria-hidden />
        Export CSV
      </Button>
      <SaveStatus state={state} />
    </>
  )
}
