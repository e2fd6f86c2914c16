import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createLeftovers, openConsole, temporaryProfile, until } from '../support/fleet.ts'
import { startHostile } from '../support/hostile-service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const MB = 1024 * 1024

/** Runs a query to which the service answers so. */
async function asked(mine: (response: ServerResponse) => void) {
  const { input } = await startHostile(leftovers, { mine })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', input)
  const run = randomUUID()
  const document = 'query Mine { tenants { id } }'
  // Connections start one after the other.
  const answer = await until(() =>
    muster.call('query.run', { run, connection, document, operation: null, variables: {} }),
  )
  return { muster, run, answer }
}

const json = { 'content-type': 'application/json' }

test('an answer of 200 MB is shown in part and saved whole, with the errors at its end', async () => {
  const row = Buffer.from(`"${'é'.repeat(MB / 2 - 2)}",`)
  const end = '"last 🙂"]},"errors":[{"message":"half of it is missing","path":["tenants"]}]}'
  let sent = 0
  const { muster, run, answer } = await asked((response) => {
    response.writeHead(200, json).write('{"data":{"tenants":[')
    const more = () => {
      while (sent < 200) {
        sent += 1
        if (!response.write(row)) return void response.once('drain', more)
      }
      response.end(end)
    }
    more()
  })
  const { bytes, shown, errors, hasData } = answer.summary
  expect([answer.isWhole, bytes, hasData]).toEqual([true, 20 + 200 * row.length + Buffer.byteLength(end), true])
  expect(shown).toBe(128 * MB)
  expect(errors).toEqual([{ message: 'half of it is missing', path: 'tenants' }])
  let [read, last] = [0, '']
  for (;;) {
    const { text, next } = await muster.call('query.text', { run, from: read })
    if (text === '') break
    expect(text.includes('\uFFFD')).toBe(false)
    last = text
    read = next
  }
  expect([read, last.endsWith(end)]).toEqual([bytes, true])
})

test('an answer that unpacks to more than is kept is cut, and the rest is not read', async () => {
  let isClosed = false
  const { answer } = await asked((response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' })
    response.on('close', () => (isClosed = true))
    const packer = createGzip({ level: 1 })
    packer.pipe(response)
    const zeros = Buffer.alloc(4 * MB, '0')
    const more = () => {
      while (!response.destroyed && packer.write(zeros));
      if (!response.destroyed) packer.once('drain', more)
    }
    packer.write('{"data":{"n":')
    more()
  })
  expect([answer.isWhole, answer.summary.bytes]).toEqual([false, 256 * MB])
  await expect.poll(() => isClosed).toBe(true)
})

test('bytes that are no text are shown as such, and nothing else of the answer is lost', async () => {
  const { muster, run, answer } = await asked((response) =>
    response.writeHead(200, json).end(Buffer.from('7b2264617461223a7b226e616d65223a22ff00c3280a22207d7d', 'hex')),
  )
  expect(answer.summary.hasData).toBe(true)
  const { lines } = await muster.call('query.lines', { run, from: 0, count: 9 })
  expect(lines.map(({ text }) => text)[2]).toContain('"name": "\uFFFD')
})

test('an answer that is nested fifty thousand times is shown', async () => {
  const depth = 50_000
  const { muster, run, answer } = await asked((response) =>
    response.writeHead(200, json).end(`{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth + 1)}`),
  )
  expect(answer.summary.lines).toBe(2 * depth + 3)
  const { lines } = await muster.call('query.lines', { run, from: depth, count: 1 })
  expect(lines).toMatchObject([{ text: '"a": {', depth }])
})
