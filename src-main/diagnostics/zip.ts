import { strToU8, zipSync } from 'fflate'

/** Text files as one zip; `at` (ms) is the time that each bears. */
export function zipOf(files: readonly { name: string; text: string }[], at: number): Uint8Array {
  return zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { level: 6, mtime: at })
}
