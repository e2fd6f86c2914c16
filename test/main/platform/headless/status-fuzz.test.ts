import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { seeded } from '../../../../bench/inventory/world.ts'
import { startStatusServer } from '../../../../src-main/platform/headless/status-server.ts'
import { systemClock } from '../../../../src-shared/lib/clock.ts'

/* Anything may be sent to the status server: it answers, or ends the connection, and tells no metrics without the token. */

const requests = 600
const token = 'the-token-of-the-scraper'
const told = 'muster_devices 7'

async function setup() {
  const log: string[] = []
  const server = await startStatusServer({
    core: {
      'app.state': async () => ({ connections: [{ lastReadingAt: 1, paused: false }] }) as never,
      'inventory.counts': async () => ({ rev: 0, counts: null, tenants: { all: 0, unread: 0 } }),
    },
    metrics: { contentType: 'text/plain', read: async () => told },
    host: '127.0.0.1',
    port: 0,
    token,
    clock: systemClock,
    log: (_level, line) => log.push(line),
  })
  onTestFinished(() => server.stop())
  /** Sends bytes, and resolves with what comes back until the connection ends, or nothing comes for a while. */
  const send = (bytes: Buffer, idleMs = 150) =>
    new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => void socket.write(bytes))
      let text = ''
      socket.setTimeout(idleMs, () => socket.destroy())
      socket.on('data', (part) => (text += part.toString('latin1')))
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    })
  return { send, log, port: server.port }
}

/** Returns a request of which parts are replaced by others, doubled, cut or torn by any bytes. */
function request(random: () => number, port: number): Buffer {
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? ''
  const path = pick(['/metrics', '/healthz', '/readyz', '/', '//', '/metrics/../metrics', '/%6detrics', '/metrics?x=1'])
  const lines = [
    `${pick(['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT', 'get', 'PRI'])} ${path} HTTP/${pick(['1.1', '1.0', '2.0', '9'])}`,
    `Host: ${pick([`127.0.0.1:${port}`, 'evil.example', '[::1]', '', 'a b', '127.0.0.1@evil.example'])}`,
    ...['', '', ''].map(() =>
      pick([
        `Authorization: Bearer ${pick(['', 'x', token.slice(1), `${token} `.repeat(2), token.toUpperCase(), '\u00ff'])}`,
        `Authorization: Basic ${token}`,
        `Content-Length: ${pick(['0', '5', '-1', '1e9', '99999999999999999999'])}`,
        'Transfer-Encoding: chunked',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `X: ${'y'.repeat(Math.floor(random() * 20_000))}`,
        'Expect: 100-continue',
        ' folded',
      ]),
    ),
    '',
    pick(['', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`]),
  ]
  const bytes = Buffer.from(lines.join(pick(['\r\n', '\r\n', '\r\n', '\n', '\r'])), 'latin1')
  const torn = random()
  if (torn < 0.1) return bytes.subarray(0, Math.floor(random() * bytes.length))
  if (torn < 0.3) for (let times = 0; times < 5; times += 1) bytes[Math.floor(random() * bytes.length)] = random() * 256
  return bytes
}

test(`${requests} requests of anything end without metrics, and leave it healthy`, { timeout: 120_000 }, async () => {
  const { send, log, port } = await setup()
  const random = seeded(7)
  const answers: string[] = []
  for (let from = 0; from < requests; from += 30)
    answers.push(...(await Promise.all(Array.from({ length: 30 }, () => send(request(random, port))))))
  expect(answers.filter((answer) => answer.includes(told))).toEqual([])
  const statuses = new Set(
    answers.flatMap((answer) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(([, code]) => code)),
  )
  expect(
    [...statuses].filter((code) => !/^(?:100|200|400|401|403|404|405|408|413|417|431|503|505)$/u.test(code ?? '')),
  ).toEqual([])
  expect(statuses.has('401')).toBe(true)
  expect(log).toEqual([])
  const ask = (path: string, more = '') =>
    send(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${more}\r\n`), 10_000)
  expect(await ask('/healthz')).toMatch(/^HTTP\/1\.1 200 /u)
  expect(await ask('/metrics', `Authorization: Bearer ${token}\r\n`)).toContain(told)
})
