import { useEffect, useRef, useState } from 'react'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ImportLine } from '../../../src-shared/model/connection.ts'
import { useAppContext } from '../../lib/context.ts'
import { importLimit } from '../../../src-shared/contract/limits.ts'
import { problemOf, textOfFile } from '../../lib/list-text.ts'

export type Importing =
  | { state: 'none' }
  | { state: 'busy'; what: string }
  | { state: 'failed'; fault: Fault }
  | { state: 'previewed'; lines: readonly ImportLine[]; ignored: readonly string[] }
  | { state: 'stored'; lines: readonly ImportLine[]; stored: number }

/** Holds an import. Its text is outside the rendered state, and is dropped when it is stored, rejected or cancelled. */
export function useImport(onStored: () => void) {
  const { session } = useAppContext()
  const text = useRef('')
  const [importing, setImporting] = useState<Importing>({ state: 'none' })
  useEffect(() => () => drop(), [])

  function drop() {
    text.current = ''
  }

  function fail(fault: Fault) {
    drop()
    setImporting({ state: 'failed', fault })
  }

  async function send(apply: boolean, what: string) {
    setImporting({ state: 'busy', what })
    const answer = await session.pipe.call('connections.import', { text: text.current, apply })
    if (apply) drop()
    if (!answer.ok) return fail(answer.fault)
    const { lines, stored, ignored } = answer.value
    if (lines.length === 0) return fail({ kind: 'input', detail: 'There are no lines below the head.' })
    if (apply) onStored()
    setImporting(apply ? { state: 'stored', lines, stored } : { state: 'previewed', lines, ignored })
  }

  async function take(pasted: string) {
    const problem = problemOf(pasted, importLimit)
    if (problem !== null) return fail({ kind: 'input', detail: problem })
    text.current = pasted
    await send(false, 'Looking through the lines…')
  }

  async function read(file: File) {
    setImporting({ state: 'busy', what: 'Reading the file…' })
    const found = await textOfFile(file, importLimit)
    if ('problem' in found) return fail({ kind: 'input', detail: found.problem })
    await take(found.text)
  }

  return {
    importing,
    take,
    read,
    apply: () => send(true, 'Storing the connections…'),
    again() {
      drop()
      setImporting({ state: 'none' })
    },
  }
}
