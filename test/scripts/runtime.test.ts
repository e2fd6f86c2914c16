import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDesktop } from '../../scripts/start/open.mjs'
import { findRuntime, installedRuntime, obstacle } from '../../scripts/start/runtime.mjs'
import { listening } from '../main/platform/web/servers.ts'

const plain = { args: [], env: { DISPLAY: ':0' }, platform: 'linux', uid: 1000 }

describe('the desktop window is not tried', () => {
  it.each([
    ['where nothing stands in the way', {}, null],
    ['when the browser is asked for', { args: ['--web'] }, ''],
    ['as root', { uid: 0 }, 'the desktop window does not run as root'],
    ['without a display', { env: {} }, 'there is no display here'],
    ['without a display, said empty', { env: { DISPLAY: '' } }, 'there is no display here'],
    ['under Wayland alone', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
    ['on macOS, which has no such name', { env: {}, platform: 'darwin' }, null],
    ['on Windows, which has no root', { env: {}, platform: 'win32', uid: undefined }, null],
    ['with a port', { args: ['--port=0'] }, '--port and --no-open are the browser’s'],
    ['with --no-open', { args: ['--no-open'] }, '--port and --no-open are the browser’s'],
  ])('%s', (_when, more, reason) => {
    expect(obstacle({ ...plain, ...more })).toBe(reason)
  })
})

function ownFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-runtime-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The package as npm lays it down; with a runtime of `version` when one is given. */
function packageFolder(version: string | null, program = '#!/bin/sh\n'): string {
  const folder = ownFolder()
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: '45.4.1' }))
  // Whoever asks the package itself is told off.
  writeFileSync(path.join(folder, 'index.js'), 'throw new Error("the package was asked")')
  if (version === null) return folder
  mkdirSync(path.join(folder, 'dist'))
  writeFileSync(path.join(folder, 'dist', 'version'), version)
  writeFileSync(path.join(folder, 'path.txt'), 'electron')
  writeFileSync(path.join(folder, 'dist', 'electron'), program)
  chmodSync(path.join(folder, 'dist', 'electron'), 0o755)
  return folder
}

describe('the runtime', () => {
  it('is there when program and version are, and only then', () => {
    const whole = packageFolder('v45.4.1')
    expect(installedRuntime(whole, {}, 'linux')).toBe(path.join(whole, 'dist', 'electron'))
    expect(installedRuntime(packageFolder('44.0.0'), {}, 'linux')).toBeNull()
    expect(installedRuntime(packageFolder(null), {}, 'linux')).toBeNull()
    rmSync(path.join(whole, 'dist', 'electron'))
    expect(installedRuntime(whole, {}, 'linux')).toBeNull()
    expect(
      installedRuntime(
        packageFolder(null),
        { ELECTRON_OVERRIDE_DIST_PATH: path.join(packageFolder('45.4.1'), 'dist') },
        'linux',
      ),
    ).toMatch(/dist.electron$/)
  })

  const find = (folder: string, env: Record<string, string>, now = Date.now) => {
    const said: string[] = []
    const cache = path.join(folder, '.cache', 'no.json')
    return {
      said,
      cache,
      found: findRuntime({
        folder,
        cache,
        node: process.execPath,
        env: { PATH: process.env['PATH'] ?? '', ...env },
        platform: 'linux',
        now,
        log: (line) => said.push(line),
      }),
    }
  }

  it('is taken from the override, or nothing is fetched at all', async () => {
    const { found, said } = find(packageFolder(null), { ELECTRON_OVERRIDE_DIST_PATH: ownFolder() })
    expect(await found).toEqual({ reason: 'ELECTRON_OVERRIDE_DIST_PATH holds no Electron of the wanted version' })
    expect(said).toEqual([])
  })

  it('is not fetched where its release page rejects, and an immediate answer is not cached', async () => {
    const asked: string[] = []
    const port = await listening(
      createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        response.writeHead(404).end()
      }),
    )
    let time = 1_000
    const { found, cache } = find(
      packageFolder(null),
      { ELECTRON_MIRROR: `http://127.0.0.1:${port}/` },
      () => (time += 10),
    )
    expect(await found).toEqual({ reason: `Electron cannot be fetched from 127.0.0.1:${port}` })
    expect(asked).toEqual([`HEAD /v45.4.1/electron-v45.4.1-linux-${process.arch}.zip`])
    expect(existsSync(cache)).toBe(false)
  })

  it('a rejection that took long is cached for a day, for that version', async () => {
    let asked = 0
    const port = await listening(
      createServer((_request, response) => {
        asked += 1
        response.writeHead(503).end()
      }),
    )
    const folder = packageFolder(null)
    const env = { ELECTRON_MIRROR: `http://127.0.0.1:${port}/` }
    let time = 1_000_000
    const slow = () => (time += 5_000)
    await find(folder, env, slow).found
    expect(JSON.parse(readFileSync(path.join(folder, '.cache', 'no.json'), 'utf8'))).toMatchObject({
      version: '45.4.1',
    })
    expect(await find(folder, env, slow).found).toEqual({ reason: `Electron cannot be fetched from 127.0.0.1:${port}` })
    expect(asked).toBe(1)
    time += 24 * 3_600_000
    await find(folder, env, slow).found
    expect(asked).toBe(2)
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: '45.4.2' }))
    await find(folder, env, slow).found
    expect(asked).toBe(3)
  })

  it("is fetched by the package's own installer, once its release page answers", async () => {
    const port = await listening(createServer((_request, response) => void response.end()))
    const folder = packageFolder(null)
    writeFileSync(
      path.join(folder, 'install.js'),
      `const fs = require('node:fs')
      fs.mkdirSync('dist'); fs.writeFileSync('dist/version', '45.4.1'); fs.writeFileSync('dist/electron', ''); fs.writeFileSync('path.txt', 'electron')`,
    )
    const { found, said } = find(folder, { ELECTRON_MIRROR: `http://127.0.0.1:${port}/` })
    expect(await found).toEqual({ program: path.join(folder, 'dist', 'electron') })
    expect(said).toEqual(['Fetching Electron (once)'])
  })

  it('is not there when its installer fails', async () => {
    const port = await listening(createServer((_request, response) => void response.end()))
    const folder = packageFolder(null)
    writeFileSync(path.join(folder, 'install.js'), 'process.exit(1)')
    expect(await find(folder, { ELECTRON_MIRROR: `http://127.0.0.1:${port}/` }).found).toEqual({
      reason: 'Electron’s download stalled',
    })
  })
})

describe('the desktop window', () => {
  const electron = (program: string) =>
    path.join(packageFolder('45.4.1', `#!${process.execPath}\n${program}`), 'dist', 'electron')

  it('is opened with the flags, and its end is the end', async () => {
    const said: string[] = []
    const program = electron(`console.log('Muster is here: ' + process.argv.slice(2).join(' ')); process.exitCode = 3`)
    expect(await openDesktop(program, '/root-folder', ['--no-demo'], { log: (line) => said.push(line) })).toEqual({
      code: 3,
    })
    expect(said).toEqual(['Muster is here: /root-folder --no-demo'])
  })

  it('that is not ready in time is ended, and nothing of it stays', async () => {
    const file = path.join(ownFolder(), 'pid')
    const program = electron(
      `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); console.log('something else'); setInterval(() => {}, 1000)`,
    )
    expect(await openDesktop(program, '/', [], { log: () => {}, limit: 2_000 })).toEqual({
      reason: 'the desktop window was not ready within 2 s',
    })
    const pid = Number(readFileSync(file, 'utf8'))
    await expect
      .poll(() => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
      .toBe(false)
  })

  it('is told that its parent is there, and when to end', async () => {
    const before = process.listenerCount('SIGHUP')
    const said: string[] = []
    const program = electron(
      `process.on('message', (word) => { console.log('Muster heard ' + word); if (word === 'stop') process.exit(4) })`,
    )
    const opened = openDesktop(program, '/', [], { log: (line) => said.push(line) })
    await expect.poll(() => said).toEqual(['Muster heard here'])
    process.emit('SIGHUP')
    expect(await opened).toEqual({ code: 4 })
    expect([said, process.listenerCount('SIGHUP')]).toEqual([['Muster heard here', 'Muster heard stop'], before])
  })

  it.each([
    // It may take its time on a busy machine.
    [
      'has no channel, is ended by a signal',
      `process.on('SIGTERM', () => process.exit(5)); process.disconnect()`,
      5,
      4000,
    ],
    [
      'hears nothing at all, is ended all the same',
      `process.on('SIGTERM', () => {}); process.on('message', () => {})`,
      1,
      100,
    ],
  ])('that %s', async (_what, behaviour, code, patience) => {
    const said: string[] = []
    const program = electron(`${behaviour}; setInterval(() => {}, 1000); console.log('Muster is here')`)
    const opened = openDesktop(program, '/', [], { log: (line) => said.push(line), patience })
    await expect.poll(() => said).toEqual(['Muster is here'])
    process.emit('SIGHUP')
    expect(await opened).toEqual({ code })
  })

  it('that ends before it is ready, or cannot be run, is no window', async () => {
    expect(await openDesktop(electron('process.exit(1)'), '/', [])).toEqual({ reason: 'Electron did not start' })
    expect(await openDesktop(path.join(ownFolder(), 'nothing'), '/', [])).toEqual({ reason: 'Electron did not start' })
  })

  it('never runs without its sandbox', () => {
    for (const file of ['start', 'start/open', 'start/runtime'])
      expect(readFileSync(path.resolve(`scripts/${file}.mjs`), 'utf8')).not.toMatch(/no-sandbox/)
  })
})
