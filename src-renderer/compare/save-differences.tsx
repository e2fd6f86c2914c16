import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Answer } from '../../src-shared/contract/contract.ts'
import type { ComparedSides, DifferenceKind } from '../../src-shared/model/comparison.ts'
import { fileName } from '../inventory/actions/export-all.ts'
import { useAppContext } from '../lib/context.ts'
import { saveParts } from '../lib/save-file.ts'
import { shellOf } from '../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../lib/ui/save-status.tsx'

interface Props {
  sides: ComparedSides
  kinds: readonly DifferenceKind[]
  text: string
  disabled: boolean
}

/** Saves the differences that match as CSV. */
export function SaveDifferences({ sides, kinds, text, disabled }: Props) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  async function save() {
    setState({ is: 'saving', progress: 'Saving…' })
    let row: number | null = 0
    const next = async (): Promise<Answer<string> | null> => {
      if (row === null) return null
      const answer = await session.pipe.call('compare.csv', { ...sides, kinds: [...kinds], text, row })
      if (!answer.ok) return answer
      row = answer.value.next
      return { ok: true, value: answer.value.text }
    }
    const name = fileName('comparison', 'csv', new Date(ticker.exact()))
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
