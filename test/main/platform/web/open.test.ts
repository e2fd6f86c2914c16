import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBrowser } from '../../../../src-main/platform/web/sign-in/open.ts'
import { keyOf, removeSignInPages, writeSignInPage } from '../../../../src-main/platform/shared/sign-in-page.ts'
import { ownFolder } from '../shared/folder.ts'

const key = 'k'.repeat(43)
const url = `http://127.0.0.1:4711/#key=${key}`
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

/** A program called `xdg-open` that notes what it was started with, as `ps` shows it, and opens what it was given. */
function browser(exit: number): { folder: string; seen: () => string } {
  const folder = ownFolder()
  const program = path.join(folder, 'xdg-open')
  writeFileSync(
    program,
    `#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline > '${folder}/args.part'\ncp "$1" '${folder}/page'\ntr '\\0' '\\n' < /proc/$$/environ > '${folder}/environ'\nmv '${folder}/args.part' '${folder}/args'\nexit ${exit}\n`,
  )
  chmodSync(program, 0o755)
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH'] ?? ''}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { folder, seen: () => readFileSync(path.join(folder, 'args'), 'utf8') }
}

let profile = ''
beforeEach(() => {
  profile = ownFolder()
  chmodSync(profile, 0o700)
  // No browser of this computer is a snap.
  vi.stubEnv('HOME', ownFolder())
  return () => void vi.unstubAllEnvs()
})

describe.skipIf(process.platform !== 'linux')('opening the browser', () => {
  it('hands it a page for this user alone: the key is in no argument and no variable', async () => {
    const { folder, seen } = browser(0)
    openBrowser(url, profile, () => {})
    await expect.poll(() => existsSync(path.join(folder, 'args'))).toBe(true)
    expect(seen()).toContain(`${profile}/sign-in-`)
    expect(seen()).not.toContain(key)
    expect(readFileSync(path.join(folder, 'environ'), 'utf8')).not.toContain(key)
    expect(readFileSync(path.join(folder, 'page'), 'utf8')).toContain(`content="0;url=${url}"`)
    const [page = ''] = readdirSync(profile)
    expect([mode(profile), mode(path.join(profile, page)), page.includes(key)]).toEqual(['700', '600', false])
    removeSignInPages(profile, 'o'.repeat(43))
    expect(readdirSync(profile)).toEqual([page])
    removeSignInPages(profile, key)
    expect(readdirSync(profile)).toEqual([])
  })

  it('that cannot be opened leaves no page, and is a line of the log', async () => {
    browser(3)
    const lines: string[] = []
    openBrowser(url, profile, (_level, text) => lines.push(text))
    await expect.poll(() => lines).toEqual(['no browser could be opened; the address is printed'])
    expect(readdirSync(profile)).toEqual([])
  })

  it('puts the page where a snap browser can read it, and removes that folder again', () => {
    const home = ownFolder()
    mkdirSync(path.join(home, 'snap'))
    const page = writeSignInPage(profile, url, home)
    expect([path.dirname(page), mode(path.dirname(page)), mode(page)]).toEqual([
      path.join(home, 'muster-sign-in'),
      '700',
      '600',
    ])
    removeSignInPages(profile, key, home)
    expect(readdirSync(home)).toEqual(['snap'])
  })

  it('gives nobody else access to the folder of its pages, also where it was there before', () => {
    const home = ownFolder()
    mkdirSync(path.join(home, 'snap'))
    mkdirSync(path.join(home, 'muster-sign-in'), { mode: 0o755 })
    writeSignInPage(profile, url, home)
    expect(lstatSync(path.join(home, 'muster-sign-in')).mode & 0o777).toBe(0o700)
  })

  it('follows no link that somebody planted', () => {
    const home = ownFolder()
    mkdirSync(path.join(home, 'snap'))
    mkdirSync(path.join(home, 'elsewhere'))
    symlinkSync(path.join(home, 'elsewhere'), path.join(home, 'muster-sign-in'))
    expect(() => writeSignInPage(profile, url, home)).toThrow('muster-sign-in is a link or no folder. Move it away.')
    expect(readdirSync(path.join(home, 'elsewhere'))).toEqual([])
    const page = writeSignInPage(profile, url)
    removeSignInPages(profile, key)
    const victim = path.join(ownFolder(), 'victim')
    writeFileSync(victim, 'as it was')
    symlinkSync(victim, page)
    writeSignInPage(profile, url)
    expect([readFileSync(victim, 'utf8'), lstatSync(page).isFile()]).toEqual(['as it was', true])
  })
})

it('only an address of Muster on this computer is opened', () => {
  expect(keyOf(url)).toBe(key)
  for (const other of [
    '',
    'http://there',
    `http://127.0.0.1.evil.example:1/#key=${key}`,
    `https://127.0.0.1:1/#key=${key}`,
    `${url}"><script>`,
    `http://127.0.0.1:1/?key=${key}`,
  ]) {
    expect([other, keyOf(other)]).toEqual([other, null])
    expect(() => writeSignInPage(profile, other)).toThrow('That is no address')
  }
})
