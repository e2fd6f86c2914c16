import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'

/**
 * Writes a signature (`.asc`) beside each file of `folder`, by a GnuPG key.
 * @returns {string[]} the names without one
 */
export function signBeside(folder, names, key, env = process.env) {
  return names.filter((name) => {
    const file = path.join(folder, name)
    rmSync(`${file}.asc`, { force: true })
    const args = ['--batch', '--yes', '--local-user', key, '--armor', '--detach-sign', file]
    return spawnSync('gpg', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0
  })
}

/** Returns whether GnuPG can sign with this key, tested before anything takes long. */
export function canSign(key, env = process.env) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'muster-signing-'))
  try {
    writeFileSync(path.join(folder, 'probe'), '')
    return signBeside(folder, ['probe'], key, env).length === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Removes packages that should be signed and are not, the feed's entries that would offer them, and the packed folder.
 */
export function dropUnsigned(folder, names) {
  if (names.length === 0) return
  const offers = (entry) => names.some((name) => readFileSync(path.join(folder, entry), 'utf8').includes(name))
  const entries = readdirSync(folder).filter((name) => name.endsWith('.yml') && offers(name))
  const unpacked = readdirSync(folder).filter((name) => name.startsWith('linux-') && name.endsWith('unpacked'))
  for (const file of [...names.flatMap((name) => [name, `${name}.blockmap`]), ...entries, ...unpacked])
    rmSync(path.join(folder, file), { recursive: true, force: true })
}
