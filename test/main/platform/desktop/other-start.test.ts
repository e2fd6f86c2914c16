import { expect, it } from 'vitest'
import {
  filtersOf,
  otherFlags,
  programOf,
  startBeside,
} from '../../../../src-main/platform/desktop/start/other-start.ts'

it("the demo starts from one's own connections, and they from the demo, each in its profile", () => {
  expect([otherFlags(false, true), otherFlags(true, true), otherFlags(false, false), otherFlags(true, false)]).toEqual([
    ['--demo'],
    [],
    [],
    ['--no-demo'],
  ])
})

it('the program is the AppImage, or Electron with the checkout in development', () => {
  expect(
    programOf(true, '/tmp/.mount/muster', '/tmp/.mount/resources/app.asar', { APPIMAGE: '/home/a/Muster.AppImage' }),
  ).toEqual({ file: '/home/a/Muster.AppImage', args: [], packaged: true })
  expect(programOf(false, '/electron', '/checkout', {})).toEqual({
    file: '/electron',
    args: ['/checkout'],
    packaged: false,
  })
})

it('a program that is gone is logged, and breaks nothing else', async () => {
  const logged: string[] = []
  startBeside(
    { file: '/nowhere/muster', args: [], packaged: true },
    ['--demo'],
    (_level, text) => void logged.push(text),
  )
  await expect.poll(() => logged).toEqual(['a second Muster could not be started (ENOENT)'])
})

it('a file is saved under its kind', () => {
  expect([filtersOf('a.csv'), filtersOf('b.MD'), filtersOf('c.tar'), filtersOf('d')]).toEqual([
    [{ name: 'CSV', extensions: ['csv'] }],
    [{ name: 'Markdown', extensions: ['md'] }],
    [{ name: 'TAR', extensions: ['tar'] }],
    [],
  ])
})
