import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'

/** Returns the files in the profile's folder with their sizes in bytes, by name. Leaves out unreadable ones. */
export async function sizesIn(profile: string): Promise<Diagnostics['files']> {
  const entries = await readdir(profile, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const found = await stat(path.join(profile, name)).catch(() => null)
        return found === null ? [] : [{ name, bytes: found.size }]
      }),
  )
  return sizes.flat().sort((one, other) => one.name.localeCompare(other.name))
}

/** The logs as `platform/shared/log.ts` names them, the newer one first. */
const logs = ['muster.log', 'muster.log.1']
/** Bytes read from the log's end: some thousand lines. */
const maxTailBytes = 384 * 1024

/** Returns the end of the profile's log in whole lines; null when there is none. */
export async function logTail(profile: string, bytes = maxTailBytes): Promise<string | null> {
  const parts: string[] = []
  let left = bytes
  for (const name of logs) {
    const tail = left > 0 ? await tailOf(path.join(profile, name), left) : null
    if (tail === null) continue
    parts.unshift(tail.text)
    left = tail.whole ? left - Buffer.byteLength(tail.text) : 0
  }
  return parts.length === 0 ? null : parts.join('')
}

/** `whole`: the text begins at the start of the file. */
async function tailOf(file: string, bytes: number): Promise<{ text: string; whole: boolean } | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, bytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    return length < size ? { text: text.slice(text.indexOf('\n') + 1), whole: false } : { text, whole: true }
  } catch {
    return null
  } finally {
    await handle.close()
  }
}
