import type { Answer, CallInput, Pipe } from '../../../src-shared/contract/contract.ts'

export type ExportAsk = Omit<CallInput<'inventory.export'>, 'after'>

export interface Exported {
  parts: readonly string[]
  /** Devices in all the parts together. */
  total: number
}

/**
 * The whole of an export, part after part as the core gives them; it keeps the keys from the first one on. `onPart` hears how many characters are there; it
 * answers false to stop, and then there is nothing. A fault part way leaves nothing either: half a file is no file.
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

/** `muster-berlin-2026-11-21-1204.csv`: what it lists and when, in letters that every file system takes. */
export function fileName(of: string, format: 'csv' | 'json', at: Date): string {
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
