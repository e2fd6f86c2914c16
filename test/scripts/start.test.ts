import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { takeLock } from '../../src-main/platform/shared/lock.ts'
import { keyIn, signInBy } from '../support/sign-in.ts'

const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

interface Started {
  child: ChildProcess
  /** The address that it printed. */
  url: Promise<string>
  /** Code, or signal. */
  ended: Promise<unknown>
}

function start(profile: string, ...flags: string[]): Started {
  const child = spawn(process.execPath, [script, '--no-open', `--profile=${profile}`, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)
  const url = once(lines, 'line').then(([line]) => {
    const said = /^Muster is at (http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43})$/.exec(String(line))?.[1]
    if (said === undefined) throw new Error(`not an address: ${String(line)}`)
    return said
  })
  return { child, url, ended }
}

function ownProfile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'profile')
}

/** Whether a window of this URL is admitted. */
async function welcomed(url: string): Promise<boolean> {
  const { origin, host } = new URL(url)
  const socket = new WebSocket(`ws://${host}/pipe`, { headers: { origin } })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const refused = once(socket, 'close').then(() => false)
  return Promise.race([
    refused,
    signInBy(socket, keyIn(url), origin).then(
      () => true,
      () => refused,
    ),
  ])
}

describe('npm start', { timeout: 60_000 }, () => {
  it('opens the window, leads a second start to it, and ends at the first signal', async () => {
    const profile = ownProfile()
    const first = start(profile, '--devices=50')
    const url = await first.url
    expect(await welcomed(url)).toBe(true)
    const html = await (await fetch(new URL('/', url))).text()
    expect(html).toContain('<title>Muster</title>')
    // Built for use, whatever NODE_ENV this test gives on: React for development draws at half the speed.
    const code = await fetch(new URL(/src="([^"]+\.js)"/u.exec(html)?.[1] ?? '', url))
    expect(await code.text()).not.toContain('jsxDEV')

    const second = start(profile, '--devices=50')
    const again = await second.url
    expect(await second.ended).toBe(0)
    expect(new URL(again).port).toBe(new URL(url).port)
    expect(again).not.toBe(url)
    expect([await welcomed(again), await welcomed(url)]).toEqual([true, false])

    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
    const lock = takeLock(profile)
    expect(lock).not.toBeNull()
    lock?.release()
    const log = readFileSync(path.join(profile, 'muster.log'), 'utf8')
    expect(log).toContain('demo service: Stopping')
    expect(log).not.toContain(keyIn(url))
  })

  it('stops its service when it is killed', async () => {
    const profile = ownProfile()
    const running = start(profile, '--devices=50')
    await running.url
    running.child.kill('SIGKILL')
    expect(await running.ended).toBe('SIGKILL')
    // The shell notices that the script is gone, and stops as it does on a signal.
    await expect.poll(() => existsSync(path.join(profile, 'running.json')), { timeout: 10_000 }).toBe(false)
    await expect
      .poll(() => readFileSync(path.join(profile, 'muster.log'), 'utf8'), { timeout: 10_000 })
      .toContain('demo service: Stopping')
  })

  it('without the demo starts no service', async () => {
    const profile = ownProfile()
    const running = start(profile, '--no-demo')
    await running.url
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(readFileSync(path.join(profile, 'muster.log'), { encoding: 'utf8', flag: 'a+' })).not.toContain(
      'demo service',
    )
  })

  it.each([
    [
      'the demo',
      'that holds connections',
      [],
      { connections: [{ id: 'a' }] },
      'is for your own connections, and the demo is never mixed with them.',
    ],
    [
      'real connections',
      'that the demo used',
      ['--no-demo'],
      { readings: { demo: {} } },
      'is the demo’s, and real connections are never mixed with it.',
    ],
  ])('rejects %s on a profile %s, and touches nothing there', (_who, _what, flags, settings, words) => {
    const profile = ownProfile()
    mkdirSync(profile)
    const text = JSON.stringify(settings)
    writeFileSync(path.join(profile, 'settings.json'), text)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, '--no-open', `--profile=${profile}`, ...flags],
      { encoding: 'utf8' },
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(words)
    expect([readdirSync(profile), readFileSync(path.join(profile, 'settings.json'), 'utf8')]).toEqual([
      ['settings.json'],
      text,
    ])
  })
})
