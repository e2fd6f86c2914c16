import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'

interface OpenFile {
  path: string
  /** A file in the same folder, so that it replaces the target in one step. */
  part: string
  handle: FileHandle
  cancelTimeout: () => void
}

/** After this many ms without a write from the window, the begun file is removed. */
const idleMs = 10 * 60_000

/** What files need of the desktop. */
export interface FileAbilities {
  /** Asks the user where to save a file of this name. Resolves with its path, or null when they cancel. */
  saveAs(name: string): Promise<string | null>
  /** Asks the user for a folder. Resolves with its path, or null when they cancel. */
  chooseFolder(): Promise<string | null>
  /** Returns what the window would print, as PDF. */
  pdf(): Promise<Uint8Array>
}

/** Opens the calls that write a file where the user chooses: completely or not at all. `desktop`: null in a browser. */
export function openFileCalls(
  desktop: FileAbilities | null,
  clock: Pick<Clock, 'after'>,
): {
  handlers: Pick<Handlers, `files.${'begin' | 'write' | 'writePdf' | 'end' | 'chooseFolder'}`>
  stop(): Promise<void>
} {
  const files = new Map<string, OpenFile>()
  const choose = oneDialog(desktop && ((name) => desktop.saveAs(name)))
  const drop = async (id: string) => {
    const file = removeFrom(files, id)
    await file.handle.close().catch(() => {})
    await rm(file.part, { force: true }).catch(() => {})
  }
  const wait = (id: string) => clock.after(idleMs, () => void drop(id).catch(() => {}))
  return {
    handlers: {
      async 'files.chooseFolder'() {
        if (desktop === null) throw new FaultError('input', 'A browser has no path of a folder: enter it.')
        return { folder: await desktop.chooseFolder() }
      },
      async 'files.begin'({ name }) {
        const chosen = await choose(name)
        if (chosen === null) return { file: null }
        const file = randomUUID()
        files.set(file, { ...(await asFileFault(() => partOf(chosen))), cancelTimeout: wait(file) })
        return { file }
      },
      async 'files.write'({ file: id, text, base64 = false }) {
        const file = known(files, id)
        file.cancelTimeout()
        file.cancelTimeout = wait(id)
        await asFileFault(() => file.handle.writeFile(base64 ? Buffer.from(text, 'base64') : text))
        return {}
      },
      async 'files.writePdf'({ file: id }) {
        const file = known(files, id)
        if (desktop === null) throw new FaultError('input', 'In a browser, the browser makes the PDF.')
        const bytes = await desktop.pdf()
        await asFileFault(() => file.handle.writeFile(bytes))
        return {}
      },
      async 'files.end'({ file: id, keep }) {
        if (!keep) {
          await drop(id)
          return { path: '' }
        }
        const file = known(files, id)
        await asFileFault(() => replaceTarget(file)).catch(async (error: unknown) => {
          await drop(id)
          throw error
        })
        removeFrom(files, id)
        return { path: file.path }
      },
    },
    stop: async () => void (await Promise.all([...files.keys()].map(drop))),
  }
}

/** Allows one dialog at a time. */
function oneDialog(
  saveAs: ((name: string) => Promise<string | null>) | null,
): (name: string) => Promise<string | null> {
  let isOpen = false
  return async (name) => {
    if (saveAs === null) throw new FaultError('input', 'In a browser, files are saved by the browser.')
    if (isOpen) throw new FaultError('input', 'Another file is being saved. Choose its place first.')
    isOpen = true
    try {
      return await saveAs(safeName(name))
    } finally {
      isOpen = false
    }
  }
}

async function replaceTarget(file: OpenFile): Promise<void> {
  await file.handle.sync()
  await file.handle.close()
  await rename(file.part, file.path)
}

/** Creates the file that will replace the chosen one, or its link's target, with the same permissions. */
async function partOf(chosen: string): Promise<Omit<OpenFile, 'cancelTimeout'>> {
  const target = await realpath(chosen).catch(() => chosen)
  const before = await stat(target).catch(() => null)
  const part = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.part`)
  // A new file gets the user's default permissions.
  if (before === null) return { path: target, part, handle: await open(part, 'wx') }
  const handle = await open(part, 'wx', 0o600)
  try {
    await handle.chmod(before.mode & 0o777)
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
  return { path: target, part, handle }
}

function known(files: ReadonlyMap<string, OpenFile>, id: string): OpenFile {
  const file = files.get(id)
  if (file === undefined) throw new FaultError('input', 'This file is being written no longer.')
  return file
}

function removeFrom(files: Map<string, OpenFile>, id: string): OpenFile {
  const file = known(files, id)
  file.cancelTimeout()
  files.delete(id)
  return file
}

/** Returns a plain file name without a path: it is only proposed, but the user may not check it. */
function safeName(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replaceAll(/^[. -]+/gu, '')
    .slice(0, 120)
  return plain === '' ? 'muster.txt' : plain
}

async function asFileFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new FaultError('file', error instanceof Error && 'code' in error ? String(error.code) : '', { cause: error })
  }
}
