import { useEffect, useRef, useState } from 'react'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ImportLine } from '../../../src-shared/model/connection.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { importLimit } from '../../../src-shared/contract/limits.ts'
import { decoded } from './import-text.ts'

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
    if (pasted.trim() === '') return fail({ kind: 'input', detail: 'There is no text in it.' })
    if (pasted.length > importLimit)
      return fail({
        kind: 'input',
        detail: `It is longer than ${numberText(importLimit)} characters. Import it in parts.`,
      })
    text.current = pasted
    await send(false, 'Looking through the lines…')
  }

  async function read(file: File) {
    if (file.size > 2 * importLimit)
      return fail({ kind: 'input', detail: 'The file is too large. Import it in parts.' })
    setImporting({ state: 'busy', what: 'Reading the file…' })
    const bytes = await file.arrayBuffer().catch(() => null)
    if (bytes === null) return fail({ kind: 'input', detail: 'The file could not be read.' })
    await take(decoded(new Uint8Array(bytes)))
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
