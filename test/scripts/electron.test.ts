import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noRuntime } from '../../scripts/test/electron.mjs'

/** An `electron` package as its own installer leaves it. */
function electronFolder(version: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-electron-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'dist'))
  for (const [name, text] of [
    ['package.json', '{"version":"45.4.1"}'],
    ['path.txt', 'electron'],
    ['dist/version', version],
    ['dist/electron', ''],
  ] as const)
    writeFileSync(path.join(folder, name), text)
  return folder
}

test("tests on Electron's own runtime run where it is whole and can open a window", () => {
  const folder = electronFolder('v45.4.1')
  const here = { folder, env: { DISPLAY: ':0' }, platform: 'linux', uid: 1000 }
  expect(noRuntime(here)).toBeNull()
  expect(noRuntime({ ...here, uid: 0 })).toBe('the desktop window does not run as root')
  expect(noRuntime({ ...here, env: {} })).toBe('there is no display here')
  expect(noRuntime({ ...here, folder: electronFolder('45.0.0') })).toBe(
    'Electron’s runtime is not here; npm start fetches it',
  )
})
