import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { writeWhole } from './own-file.ts'

/** An address of Muster on this computer, with a one-time key behind its `#`. */
const address = /^http:\/\/127\.0\.0\.1:\d{1,5}\/#key=([\w-]{43})$/u

/** Returns the one-time key of such an address; null for any other text. */
export function keyOf(url: string): string | null {
  return address.exec(url)?.[1] ?? null
}

/**
 * Writes a page that redirects to the address, readable by this user only; returns its path. Arguments of programs can
 * be read by every user of the computer. Throws when it cannot be written, and for any other address.
 */
export function writeSignInPage(profile: string, url: string, home = homedir()): string {
  const key = keyOf(url)
  if (key === null) throw new Error('That is no address of Muster on this computer.')
  const file = pageOf(profile, key, home)
  makeFolder(path.dirname(file))
  writeWhole(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Muster</title><a href="${url}">Open Muster</a>\n`,
  )
  return file
}

/** Removes the page of a used or expired key, or those of all keys. Never throws. */
export function removeSignInPages(profile: string, key: string | null = null, home = homedir()): void {
  const folder = folderOf(profile, home)
  try {
    const names =
      key === null
        ? readdirSync(folder).filter((name) => /^sign-in-[0-9a-f]{16}\.html(\.new)?$/u.test(name))
        : [path.basename(pageOf(profile, key, home))]
    for (const name of names) rmSync(path.join(folder, name), { force: true })
    if (folder !== profile) rmdirSync(folder)
  } catch {
    // There is none, or another Muster has one in the folder.
  }
}

function pageOf(profile: string, key: string, home: string): string {
  return path.join(
    folderOf(profile, home),
    `sign-in-${createHash('sha256').update(key).digest('hex').slice(0, 16)}.html`,
  )
}

/** Returns the folder of the pages. A browser that is a snap cannot read hidden folders, which contain the profiles. */
function folderOf(profile: string, home: string): string {
  return process.platform === 'linux' && existsSync(path.join(home, 'snap'))
    ? path.join(home, 'muster-sign-in')
    : profile
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link or no folder. Move it away.`)
  chmodSync(folder, 0o700)
}
