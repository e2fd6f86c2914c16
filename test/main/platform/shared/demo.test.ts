import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../../../src-shared/lib/clock.ts'
import { startDemo, type Demo } from '../../../../src-main/platform/shared/demo.ts'
import { launchDemo } from '../../../../src-main/platform/web/demo-process.ts'
import { openNetwork } from '../../../../src-main/platform/web/network/network.ts'
import { ownFolder } from './folder.ts'

const entry = fileURLToPath(new URL('../../../../src-service/main.ts', import.meta.url))

function started(own: string, lines: string[] = []): Promise<Demo> {
  return startDemo({
    launch: (args) => launchDemo(own, args),
    devices: 20,
    clock: systemClock,
    log: (level, text) => lines.push(`${level} ${text}`),
  })
}

function program(text: string): string {
  const file = path.join(ownFolder(), 'service.mjs')
  writeFileSync(file, text)
  return file
}

describe('demo', { timeout: 30_000 }, () => {
  it('is a service that answers, with a certificate of its own CA', async () => {
    const demo = await started(entry)
    onTestFinished(() => demo.stop())
    const { tokenUrl, ca, clientId, clientSecret } = demo.service
    const link = openNetwork({}).open(ca)
    onTestFinished(() => link.close())
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
    const response = await link.fetch(tokenUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      200,
      expect.arrayContaining(['access_token']),
    ])
  })

  it('ends when it is stopped, without a warning', async () => {
    const lines: string[] = []
    const demo = await started(entry, lines)
    await demo.stop()
    const link = openNetwork({}).open(demo.service.ca)
    onTestFinished(() => link.close())
    await expect(link.fetch(demo.service.tokenUrl)).rejects.toMatchObject({ fault: { kind: 'connect' } })
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([])
  })

  it('reports that it could not start, and leaves no file behind', async () => {
    const temporary = ownFolder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(started(program('process.exit(3)'))).rejects.toThrow('The demo service ended at its start (code 3)')
    await expect(started(program('console.log("hello"); setInterval(() => {}, 1000)'))).rejects.toThrow(
      'did not print its addresses',
    )
    expect(readdirSync(temporary).filter((name) => name.startsWith('muster-demo-'))).toEqual([])
  })

  it('is reported when it ends by itself', async () => {
    const told = new Promise<string>((resolve) => {
      const source = `import { writeFileSync } from 'node:fs'
        writeFileSync(process.argv.find((word) => word.startsWith('--ca-out=')).slice(9), 'ca')
        const url = 'https://127.0.0.1/'
        const line = JSON.stringify({ token_url: url, graphql_url: url, subscription_url: url, client_id: 'a', client_secret: 'b' })
        process.stdout.write(line + String.fromCharCode(10), () => process.exit(0))`
      void startDemo({
        launch: (args) => launchDemo(program(source), args),
        devices: null,
        clock: systemClock,
        log: (level, text) => resolve(`${level} ${text}`),
      })
    })
    expect(await told).toBe('warn the demo service has ended; quit Muster (Ctrl-C) and start it again to have it back')
  })
})
