import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lockOrAsk, takeLock } from '../../../../src-main/platform/shared/lock.ts'
import { systemClock } from '../../../../src-shared/lib/clock.ts'
import { ownFolder } from './folder.ts'
import { listening } from '../web/servers.ts'

describe('lock', () => {
  it('belongs to one core alone, until it is released', () => {
    const folder = ownFolder()
    const first = takeLock(folder)
    expect(first).not.toBeNull()
    expect(takeLock(folder)).toBeNull()
    first?.release()
    const second = takeLock(folder)
    expect(second).not.toBeNull()
    expect(second?.token).not.toBe(first?.token)
    second?.release()
  })

  it('ends with its process, however that ended, and a stale lock is not believed', async () => {
    const folder = ownFolder()
    const source = fileURLToPath(new URL('../../../../src-main/platform/shared/lock.ts', import.meta.url))
    const program = `import { takeLock } from ${JSON.stringify(source)}
      // A lock that nothing refers to is given back with what held it.
      globalThis.lock = takeLock(${JSON.stringify(folder)})
      lock.announce(1); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(createInterface(child.stdout), 'line')
    expect(takeLock(folder)).toBeNull()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(path.join(folder, 'running.json'))).toBe(true)
    const next = takeLock(folder)
    expect(next).not.toBeNull()
    expect(existsSync(path.join(folder, 'running.json'))).toBe(false)
    next?.release()
  })

  it('leads a second start to the first one, by a token that only the owner can read', async () => {
    const folder = ownFolder()
    const lock = takeLock(folder)
    let url = ''
    const port = await listening(
      createServer((request, response) => {
        const known =
          request.method === 'POST' &&
          request.url === '/key' &&
          request.headers.authorization === `Bearer ${lock?.token}`
        response.writeHead(known ? 200 : 403).end(JSON.stringify({ url }))
      }),
    )
    lock?.announce(port)
    url = `http://127.0.0.1:${port}/#key=${'k'.repeat(43)}`
    expect((statSync(path.join(folder, 'running.json')).mode & 0o777).toString(8)).toBe('600')
    expect(await lockOrAsk(folder, systemClock)).toEqual({ url })
    // Another program may answer there by now.
    for (const other of [
      'http://there',
      `http://127.0.0.1:${port + 1}/#key=${'k'.repeat(43)}`,
      `https://evil.example/#key=${'k'.repeat(43)}`,
    ]) {
      url = other
      expect(await lockOrAsk(folder, systemClock, 0)).toBeNull()
    }
    const running = path.join(folder, 'running.json')
    writeFileSync(running, JSON.stringify({ ...JSON.parse(readFileSync(running, 'utf8')), token: 'guessed' }))
    expect(await lockOrAsk(folder, systemClock, 0)).toBeNull()
    lock?.release()
  })

  it('says when the first one has windows of its own', async () => {
    const folder = ownFolder()
    const lock = takeLock(folder)
    lock?.announce(null)
    expect(await lockOrAsk(folder, systemClock, 0)).toEqual({ windows: true })
    lock?.release()
  })

  it('waits for a first one that is just stopping', async () => {
    const folder = ownFolder()
    const first = takeLock(folder)
    const asked = lockOrAsk(folder, systemClock)
    first?.release()
    const got = await asked
    expect(got).toHaveProperty('lock')
    if (got !== null && 'lock' in got) got.lock.release()
  })

  it('waits also in an idle process, and reports in the end that there was no answer', async () => {
    const folder = ownFolder()
    const lock = takeLock(folder)
    const from = (file: string) => JSON.stringify(fileURLToPath(new URL(`../../../../${file}`, import.meta.url)))
    const program = `import { lockOrAsk } from ${from('src-main/platform/shared/lock.ts')}
      import { systemClock } from ${from('src-shared/lib/clock.ts')}
      console.log(await lockOrAsk(${JSON.stringify(folder)}, systemClock, 300))`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [said] = await Promise.all([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
    expect([said, child.exitCode]).toEqual([['null'], 0])
    lock?.release()
  })
})
