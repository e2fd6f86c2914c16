import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { FaultError } from '../../../src-shared/model/fault.ts'

const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)]
/** Longest file of a snapshot, bytes. */
const maxFileBytes = 2 ** 31

/** Returns a snapshot's file, compressed. Removes the file. */
export async function snapshotBody(file: string): Promise<Uint8Array> {
  try {
    return await pack(await readFile(file), { level: 4 })
  } finally {
    await rm(file, { force: true })
  }
}

/** Writes the file of a body into the folder and returns its path. Rejects with `team-old` for a body that cannot be read. */
export async function openSnapshotBody(body: Uint8Array, folder: string): Promise<string> {
  try {
    const content = await unpack(body, { maxOutputLength: maxFileBytes })
    const file = join(folder, 'team-snapshot-in.db')
    await rm(file, { force: true })
    await writeFile(file, content, { mode: 0o600 })
    return file
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error
    throw new FaultError('team-old', 'the snapshot of what the team shares cannot be read')
  }
}
