import type { Answer, Pipe } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { AppState } from './session.ts'

/** `where`: the file's path, or in a browser its name; null when the operator cancelled. */
export type Saved = { ok: true; where: string | null } | { ok: false; fault: Fault }

/** Text, or bytes as base64. */
export type FilePart = string | { base64: string }

/**
 * Saves a file for the operator: in the desktop application through the core, which writes all of it or nothing; in a
 * browser as a download. It never leaves this computer.
 */
export async function saveFile(
  pipe: Pipe,
  shell: AppState['shell'] | undefined,
  name: string,
  type: string,
  parts: readonly FilePart[],
): Promise<Saved> {
  if (shell !== 'electron') {
    download(name, type, parts)
    return { ok: true, where: name }
  }
  const begun = await pipe.call('files.begin', { name })
  if (!begun.ok) return begun
  const { file } = begun.value
  if (file === null) return { ok: true, where: null }
  for (const part of parts) {
    const written = await pipe.call(
      'files.write',
      typeof part === 'string' ? { file, text: part } : { file, text: part.base64, base64: true },
    )
    if (written.ok) continue
    await pipe.call('files.end', { file, keep: false })
    return written
  }
  const ended = await pipe.call('files.end', { file, keep: true })
  return ended.ok ? { ok: true, where: ended.value.path } : ended
}

/**
 * Saves a file whose parts are read one after the other, as `saveFile` does: each leaves the window's memory before the next one
 * is read. `next` returns null at the end; '' for a part without text. A fault, or `stopped`, discards all.
 */
export async function saveParts(
  pipe: Pipe,
  shell: AppState['shell'] | undefined,
  name: string,
  type: string,
  next: () => Promise<Answer<string> | null>,
  stopped: () => boolean,
): Promise<Saved> {
  if (shell !== 'electron') {
    // The browser keeps a blob outside of the page's memory.
    const blobs: Blob[] = []
    for (let part = await next(); part !== null && !stopped(); part = await next()) {
      if (!part.ok) return part
      blobs.push(new Blob([part.value]))
    }
    if (stopped()) return { ok: true, where: null }
    offer(name, new Blob(blobs, { type: `${type};charset=utf-8` }))
    return { ok: true, where: name }
  }
  const begun = await pipe.call('files.begin', { name })
  if (!begun.ok) return begun
  const { file } = begun.value
  if (file === null) return { ok: true, where: null }
  for (let part = await next(); part !== null && !stopped(); part = await next()) {
    const written = part.ok ? await pipe.call('files.write', { file, text: part.value }) : part
    if (written.ok) continue
    await pipe.call('files.end', { file, keep: false })
    return written
  }
  const keep = !stopped()
  const ended = await pipe.call('files.end', { file, keep })
  return ended.ok ? { ok: true, where: keep ? ended.value.path : null } : ended
}

function download(name: string, type: string, parts: readonly FilePart[]): void {
  const bytes = parts.map((part) =>
    typeof part === 'string' ? part : Uint8Array.from(atob(part.base64), (letter) => letter.charCodeAt(0)),
  )
  offer(
    name,
    new Blob(bytes, { type: parts.every((part) => typeof part === 'string') ? `${type};charset=utf-8` : type }),
  )
}

function offer(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then. Some browsers need the address for a while.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
