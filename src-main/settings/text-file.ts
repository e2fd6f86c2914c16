import { readFileSync } from 'node:fs'

/** What a small file says; '' for one that cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
