import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { sizeText } from '../../../src-shared/text/diagnostics.ts'
import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { saveParts } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../../lib/ui/save-status.tsx'

/** Saves an answer as the service sent it, also what is too long to be shown. `bytes`: its length. */
export function SaveAnswer({ run, bytes }: { run: string; bytes: number }) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  const stopped = useRef(false)
  async function save() {
    stopped.current = false
    const total = sizeText(bytes)
    const saving = (read: number) => setState({ is: 'saving', progress: `Saved ${sizeText(read)} of ${total}…` })
    saving(0)
    const next = reader(session.pipe, { run, bytes }, saving)
    const name = fileName('query', 'json', new Date(ticker.exact()))
    const done = await saveParts(session.pipe, shellOf(session), name, 'application/json', next, () => stopped.current)
    setState(savedState(done))
  }
  return (
    <>
      <Button className="button" isDisabled={state.is === 'saving'} onPress={() => void save()}>
        <Download size={14} aria-hidden />
        Save
      </Button>
      {state.is === 'saving' && (
        <Button className="button subtle" onPress={() => (stopped.current = true)}>
          Stop
        </Button>
      )}
      <SaveStatus state={state} />
    </>
  )
}

/** Returns a function that reads part after part, and null at the end. */
function reader(
  pipe: Pipe,
  { run, bytes }: { run: string; bytes: number },
  onPart: (bytes: number) => void,
): () => Promise<Answer<string> | null> {
  let from = 0
  return async () => {
    const answer = await pipe.call('query.text', { run, from })
    if (!answer.ok) return answer
    const { text, next } = answer.value
    if (text === '' && from < bytes)
      return { ok: false, fault: { kind: 'input', detail: 'run: This answer is no longer kept. Run the query again.' } }
    if (text === '') return null
    from = next
    onPart(next)
    return { ok: true, value: text }
  }
}
