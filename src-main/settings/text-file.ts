import { readFileSync } from 'node:fs'

/** Returns the text of a small file; '' for an unreadable one. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
