import type { Secrets } from '../../src-main/ports.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { createLeftovers, openConsole, temporaryProfile, until } from '../support/fleet.ts'
import { keychainOf } from '../support/keychain.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(more: Parameters<typeof openConsole>[2] = {}) {
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, more)
  const bring = (text: string, apply = true) => muster.call('connections.import', { text, apply })
  const connections = async () => (await muster.call('app.state', {})).connections
  const settingsText = () => readFileSync(path.join(profile, 'settings.json'), 'utf8')
  return { profile, muster, bring, connections, settingsText }
}

const head = 'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca'

const row = (name: string, secret: string) =>
  `${name},https://127.0.0.1:9/oauth/token,https://127.0.0.1:9/graphql,wss://127.0.0.1:9/graphql,me,${secret},`

test('a keychain error rejects its lines, and nothing of them is stored', async () => {
  const memory = openMemory('a test')
  let asked = 0
  const secrets: Secrets = {
    ...memory,
    kind: 'keychain',
    set: async (account, secret) => {
      asked += 1
      if (secret.startsWith('bad')) throw new FaultError('keychain', 'Secret Service refused')
      await memory.set(account, secret)
    },
  }
  const { bring, connections } = await open({ secrets })
  const text = [
    head,
    row('A', 'good'),
    row('B', 'bad'),
    row('C', 'good too'),
    row('D', 'bad'),
    row('E', 'bad'),
    row('F', 'bad'),
    row('G', 'good'),
  ].join('\n')
  const { lines, stored } = await bring(text)
  expect(stored).toBe(2)
  expect(lines.map(({ what }) => what)).toEqual(['add', 'reject', 'add', 'reject', 'reject', 'reject', 'reject'])
  expect(lines[1]?.problem).toBe(
    'client_secret: The keychain rejected it (Secret Service refused), so nothing of this line was stored.',
  )
  // It may take a minute each time: after three failures in a row nobody asks it again.
  expect(asked).toBe(6)
  expect((await connections()).map(({ name }) => name)).toEqual(['A', 'C'])
})

test('settings that cannot be written leave no secret behind, and the connections unchanged', async () => {
  const memory = openMemory('a test')
  const held = new Map<string, string>()
  const secrets: Secrets = {
    ...memory,
    get: async (account) => held.get(account) ?? null,
    set: async (account, secret) => void held.set(account, secret),
    remove: async (account) => void held.delete(account),
  }
  const { muster, bring, connections } = await open({ secrets })
  await bring([head, row('A', 'first')].join('\n'))
  muster.settings.set = () => {
    throw new Error('ENOSPC')
  }
  await expect(bring([head, row('A', 'second'), row('B', 'third')].join('\n'))).rejects.toMatchObject({
    fault: { kind: 'storage' },
  })
  expect([...held.values()]).toEqual(['first'])
  expect((await connections()).map(({ name }) => name)).toEqual(['A'])
})

/** A keychain that keeps its secrets over a restart, and from some secret on behaves as the test says. */
function keychain(kept: Map<string, string>, onSet: () => Promise<void> = async () => {}): Secrets {
  return {
    ...keychainOf(kept),
    async set(account, secret) {
      kept.set(account, secret)
      await onSet()
    },
  }
}

const tenLines = [
  head,
  ...Array.from(
    { length: 10 },
    (_, n) => `C${n},https://a.test/oauth/token,https://a.test/graphql,wss://a.test/graphql,id,secret-${n},`,
  ),
].join('\n')

test('quitting during an import removes its secrets from the keychain', async () => {
  const kept = new Map<string, string>()
  let stopped: Promise<void> | null = null
  const { muster, bring, connections } = await open({
    secrets: keychain(kept, async () => {
      if (kept.size === 5) stopped = muster.stop()
    }),
  })
  await expect(bring(tenLines)).rejects.toThrow(/stopped/u)
  await stopped
  expect([[...kept], await connections().catch(() => 'stopped')]).toEqual([[], expect.anything()])
})

test('the next start removes from the keychain what an interrupted import left there', async () => {
  const kept = new Map<string, string>()
  const { profile, muster, bring } = await open({
    secrets: keychain(kept, () => (kept.size === 4 ? new Promise(() => {}) : Promise.resolve())),
  })
  await bring(
    [head, 'First,https://a.test/oauth/token,https://a.test/graphql,wss://a.test/graphql,id,first-secret,'].join('\n'),
  )
  const before = [...kept]
  void bring(tenLines).catch(() => {})
  await until(async () => expect(kept.size).toBe(4))
  // As if it were killed: the keychain still asks somebody.
  await muster.stop()
  expect(kept.size).toBe(4)
  const again = await openConsole(leftovers, profile, { secrets: keychain(kept) })
  await until(async () => expect([...kept]).toEqual(before))
  expect((await again.call('app.state', {})).connections.map(({ name }) => name)).toEqual(['First'])
  expect(again.settings.get('secretsExpected')).toEqual([])
  expect((await again.call('app.state', {})).banners).toEqual([])
})
