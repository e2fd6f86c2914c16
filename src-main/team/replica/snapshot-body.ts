import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { FaultError } from '../../../src-shared/model/fault.ts'

const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)]
/** Longest file of a snapshot, bytes. */
const maxFileBytes = 2 ** 31

/** Returns a snapshot's file, and what belongs to it beside the tables (JSON), as one body. Removes the file. */
export async function snapshotBody(file: string, beside: unknown): Promise<Uint8Array> {
  try {
    const packed = await pack(await readFile(file), { level: 4 })
    const head = Buffer.from(JSON.stringify(beside))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(head.length)
    return Buffer.concat([length, head, packed])
  } finally {
    await rm(file, { force: true })
  }
}

/** Writes the file of a body into the folder. Rejects with `team-old` for a body that cannot be read. */
export async function openSnapshotBody(body: Uint8Array, folder: string): Promise<{ file: string; beside: unknown }> {
  const bytes = Buffer.from(body)
  try {
    const length = bytes.readUInt32BE(0)
    const beside: unknown = JSON.parse(bytes.subarray(4, 4 + length).toString())
    const content = await unpack(bytes.subarray(4 + length), { maxOutputLength: maxFileBytes })
    const file = join(folder, 'team-snapshot-in.db')
    await rm(file, { force: true })
    await writeFile(file, content, { mode: 0o600 })
    return { file, beside }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error
    throw new FaultError('team-old', 'the snapshot of what the team shares cannot be read')
  }
}
