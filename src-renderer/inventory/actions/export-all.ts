import type { Answer, CallInput, Pipe } from '../../../src-shared/contract/contract.ts'

export type ExportAsk = Omit<CallInput<'inventory.export'>, 'after'>

export interface Exported {
  parts: readonly string[]
  /** Number of devices in all parts. */
  total: number
}

/**
 * Reads a complete export, part by part; the core keeps the keys after the first part. `onPart` receives the number of
 * characters so far and returns false to stop, which resolves with null. A fault discards all parts, because half a
 * file is useless.
 */
export async function exportAll(
  pipe: Pipe,
  ask: ExportAsk,
  onPart: (characters: number) => boolean = () => true,
): Promise<Answer<Exported> | null> {
  const parts: string[] = []
  let characters = 0
  let after: string | null = null
  for (;;) {
    const answer: Answer<{ text: string; after: string | null; total: number }> = await pipe.call('inventory.export', {
      ...ask,
      keys: after === null ? ask.keys : null,
      after,
    })
    if (!answer.ok) return answer
    parts.push(answer.value.text)
    characters += answer.value.text.length
    if (!onPart(characters)) return null
    after = answer.value.after
    if (after === null) return { ok: true, value: { parts, total: answer.value.total } }
  }
}

/**
 * Returns for example `muster-berlin-2026-11-21-1204.csv`: the content and the time, in characters that every file
 * system accepts.
 */
export function fileName(
  of: string,
  format: 'csv' | 'json' | 'ndjson' | 'graphql' | 'html' | 'pdf' | 'png',
  at: Date,
): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}-${pad(at.getHours())}${pad(at.getMinutes())}`
  const place = of
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, 40)
  return ['muster', place, day]
    .filter((part) => part !== '')
    .join('-')
    .concat('.', format)
}
