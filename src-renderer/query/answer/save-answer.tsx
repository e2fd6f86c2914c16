import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Answer as CallAnswer, Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { saveFile } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Saves an answer as the service sent it. */
export function SaveAnswer({ run }: { run: string }) {
  const { session, ticker } = useAppContext()
  const [saved, setSaved] = useState<{ where: string } | { fault: Fault } | null>(null)
  async function save() {
    const read = await readAnswer(session.pipe, run)
    const name = fileName('query', 'json', new Date(ticker.exact()))
    const done = read.ok ? await saveFile(session.pipe, shellOf(session), name, 'application/json', read.value) : read
    if (!done.ok) setSaved({ fault: done.fault })
    else if (done.where !== null) setSaved({ where: done.where })
  }
  return (
    <>
      <Button className="button" onPress={() => void save()}>
        <Download size={14} aria-hidden />
        Save
      </Button>
      <span role="status" className="muted-text">
        {saved !== null && 'where' in saved && (
          <>
            Saved as <Isolated>{saved.where}</Isolated>.
          </>
        )}
      </span>
      <FaultNote fault={saved !== null && 'fault' in saved ? saved.fault : null} />
    </>
  )
}

async function readAnswer(pipe: Pipe, run: string): Promise<CallAnswer<string[]>> {
  const parts: string[] = []
  for (let from = 0; ;) {
    const answer = await pipe.call('query.text', { run, from })
    if (!answer.ok) return answer
    if (answer.value.text === '') return { ok: true, value: parts }
    parts.push(answer.value.text)
    from = answer.value.next
  }
}
