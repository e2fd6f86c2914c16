import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDesktopCalls } from '../../../src-main/ipc/desktop.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'
import { ownFolder } from '../platform/shared/folder.ts'

function desktop(chosen: ((name: string) => string | null | Promise<string | null>) | null = null) {
  const folder = ownFolder()
  const choice = chosen ?? ((name: string) => path.join(folder, name))
  const clock = manualClock()
  const others: string[] = []
  const fullScreens: boolean[] = []
  const calls = openDesktopCalls(
    {
      saveAs: async (name) => choice(name),
      chooseFolder: async () => choice(''),
      pdf: async () => Buffer.from('%PDF-1.7'),
      setFullScreen: (on) => void fullScreens.push(on),
      startsAtLogin: true,
    },
    async (add) => (others.push(add ?? 'other'), null),
    clock,
  )
  onTestFinished(() => calls.stop())
  return { ...calls.handlers, stop: calls.stop, folder, clock, others, fullScreens }
}
const refused = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof FaultError ? error.message : String(error)),
  )

describe('a saved file', () => {
  it('is written part by part, and replaces the old one whole', async () => {
    const { folder, ...calls } = desktop()
    writeFileSync(path.join(folder, 'fleet.csv'), 'before')
    const { file } = await calls['files.begin']({ name: 'fleet.csv' })
    for (const text of ['id,name\r\n', 'ä,ö\r\n']) await calls['files.write']({ file: file ?? '', text })
    expect(readFileSync(path.join(folder, 'fleet.csv'), 'utf8')).toBe('before')
    expect(await calls['files.end']({ file: file ?? '', keep: true })).toEqual({ path: path.join(folder, 'fleet.csv') })
    expect([readdirSync(folder), readFileSync(path.join(folder, 'fleet.csv'), 'utf8')]).toEqual([
      ['fleet.csv'],
      'id,name\r\nä,ö\r\n',
    ])
    expect(await refused(calls['files.write']({ file: file ?? '', text: 'more' }))).toBe(
      'input: This file is being written no longer.',
    )
  })

  it.skipIf(process.platform === 'win32')(
    'has the mode of the file that it replaces, and writes through a link',
    async () => {
      const { folder, ...calls } = desktop()
      mkdirSync(path.join(folder, 'kept'))
      const own = path.join(folder, 'kept', 'own.csv')
      writeFileSync(own, 'before')
      chmodSync(own, 0o640)
      symlinkSync(own, path.join(folder, 'fleet.csv'))
      const modes = (below: string) =>
        readdirSync(path.join(folder, below)).map((name) => statSync(path.join(folder, below, name)).mode & 0o777)
      const { file } = await calls['files.begin']({ name: 'fleet.csv' })
      expect(modes('kept')).toEqual([0o640, 0o640])
      await calls['files.write']({ file: file ?? '', text: 'after' })
      expect(await calls['files.end']({ file: file ?? '', keep: true })).toEqual({ path: own })
      expect([
        readFileSync(own, 'utf8'),
        modes('kept'),
        lstatSync(path.join(folder, 'fleet.csv')).isSymbolicLink(),
      ]).toEqual(['after', [0o640], true])
      const made = await calls['files.begin']({ name: 'new.csv' })
      await calls['files.end']({ file: made.file ?? '', keep: true })
      expect(statSync(path.join(folder, 'new.csv')).mode & 0o777).toBe(0o666 & ~process.umask())
    },
  )

  it('leaves nothing after a cancel, without its window, or when Muster ends', async () => {
    const folder = ownFolder()
    const { clock, stop, ...calls } = desktop((name) => (name === 'no.csv' ? null : path.join(folder, name)))
    expect(await calls['files.begin']({ name: 'no.csv' })).toEqual({ file: null })
    const begun = async (name: string) => (await calls['files.begin']({ name })).file ?? ''
    expect(await calls['files.end']({ file: await begun('a.csv'), keep: false })).toEqual({ path: '' })
    expect(readdirSync(folder)).toEqual([])
    const left = await begun('b.csv')
    await clock.advance(9 * 60_000)
    await calls['files.write']({ file: left, text: 'still there' })
    await clock.advance(9 * 60_000)
    expect(readdirSync(folder)).toHaveLength(1)
    await clock.advance(60_000)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    await begun('c.csv')
    await stop()
    expect([readdirSync(folder), clock.pending()]).toEqual([[], 0])
  })

  it('is proposed under a name that leads nowhere else', async () => {
    const names: string[] = []
    const calls = desktop((name) => {
      names.push(name)
      return null
    })
    for (const name of ['../../etc/passwd', '.bashrc', 'C:\\autoexec.bat', 'muster-berlin-2026.csv', '', '‮cod.exe'])
      await calls['files.begin']({ name })
    expect(names).toEqual(['etc-passwd', 'bashrc', 'C-autoexec.bat', 'muster-berlin-2026.csv', 'muster.txt', 'cod.exe'])
  })

  it('says why it could not be written, and leaves nothing then', async () => {
    const folder = ownFolder()
    const calls = desktop((name) => path.join(folder, name === 'gone.csv' ? 'nowhere' : '', name))
    expect(await refused(calls['files.begin']({ name: 'gone.csv' }))).toBe('file: ENOENT')
    const { file } = await calls['files.begin']({ name: 'a.csv' })
    mkdirSync(path.join(folder, 'a.csv', 'below'), { recursive: true })
    expect(await refused(calls['files.end']({ file: file ?? '', keep: true }))).toMatch(/^file: E/u)
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('asks one thing at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const calls = desktop(() => promise)
    const first = calls['files.begin']({ name: 'a.csv' })
    expect(await refused(calls['files.begin']({ name: 'b.csv' }))).toBe(
      'input: Another file is being saved. Choose its place first.',
    )
    resolve(null)
    expect(await first).toEqual({ file: null })
    expect(await refused(calls['files.begin']({ name: 'b.csv' }))).toBe('done')
  })
})

it('the other start belongs to the desktop shell; in a browser there is none', async () => {
  const calls = desktop()
  expect(await calls['start.other']({ add: null })).toEqual({ url: null })
  await calls['start.other']({ add: 'import' })
  expect(calls.others).toEqual(['other', 'import'])
  const browser = openDesktopCalls(null, null, manualClock()).handlers
  expect(await refused(browser['start.other']({ add: null }))).toBe('input: From here it has to be started by hand.')
  expect(await refused(browser['files.begin']({ name: 'a' }))).toBe(
    'input: In a browser, files are saved by the browser.',
  )
})

it('the window fills the screen, and in a browser the page is asked to', async () => {
  const { fullScreens, ...calls } = desktop()
  await calls['windows.fullScreen']({ on: true })
  await calls['windows.fullScreen']({ on: false })
  expect(fullScreens).toEqual([true, false])
  const browser = openDesktopCalls(null, null, manualClock())
  onTestFinished(() => browser.stop())
  expect(await refused(browser.handlers['windows.fullScreen']({ on: true }))).toMatch(/in a browser/iu)
})

it('a PDF of the window is written whole, and not in a browser', async () => {
  const { folder, ...calls } = desktop()
  const { file } = await calls['files.begin']({ name: 'report.pdf' })
  await calls['files.writePdf']({ file: file ?? '' })
  const { path: written } = await calls['files.end']({ file: file ?? '', keep: true })
  expect(readFileSync(written, 'utf8')).toBe('%PDF-1.7')
  expect(path.dirname(written)).toBe(folder)
  expect(await refused(calls['files.writePdf']({ file: file ?? '' }))).toMatch(/no longer/u)
})

it('a folder is chosen by the user, or not at all; a browser has none to choose', async () => {
  const { folder, ...calls } = desktop()
  expect(await calls['files.chooseFolder']({})).toEqual({ folder })
  expect(await desktop(() => null)['files.chooseFolder']({})).toEqual({ folder: null })
  const inBrowser = openDesktopCalls(null, null, manualClock()).handlers
  expect(await refused(inBrowser['files.chooseFolder']({}))).toMatch(/^input: A browser has no path/u)
})
