import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** By this Electron's program marks where its fuses are; behind it stand a version, their number, and one byte each. */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
/** As Electron delivers them: on, off, on, on, off, off, off, on, on. */
const delivered = '101100011'

/** A folder that stands in for Electron's runtime, with what of it electron-builder looks at. */
export function standInRuntime(folder: string, program: string): string {
  mkdirSync(path.join(folder, 'resources'), { recursive: true })
  mkdirSync(path.join(folder, 'locales'))
  const fuses = Buffer.concat([sentinel, Buffer.from([1, delivered.length]), Buffer.from(delivered)])
  writeFileSync(path.join(folder, program), Buffer.concat([Buffer.alloc(999, 7), fuses, Buffer.alloc(999, 8)]), { mode: 0o755 })
  writeFileSync(path.join(folder, 'version'), '45.4.1')
  writeFileSync(path.join(folder, 'LICENSE'), 'Electron’s licence')
  writeFileSync(path.join(folder, 'LICENSES.chromium.html'), 'Chromium’s licences')
  writeFileSync(path.join(folder, 'resources', 'default_app.asar'), 'Electron’s welcome')
  return folder
}

/** The fuses of a program, one character each, in Electron's order. */
export function fusesOf(program: string): string {
  const bytes = readFileSync(program)
  const at = bytes.indexOf(sentinel) + sentinel.length
  return bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0)).toString('latin1')
}
