import { assert, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import {
  checkWindow,
  musterProof,
  nonce,
  same,
  sessionKey,
  verifierOf,
  windowProof,
  type Exchange,
} from '../../src-shared/lib/proof.ts'

const key = 'a'.repeat(43)
async function exchange(more: Partial<Exchange> = {}): Promise<Exchange> {
  return { origin: 'http://127.0.0.1:4000', id: (await verifierOf(key)).id, window: nonce(), muster: nonce(), ...more }
}

it("a window's proof is valid for its key, and gives the same next key on both sides", async () => {
  const exchanged = await exchange()
  const next = await checkWindow(await verifierOf(key), exchanged, await windowProof(key, exchanged))
  expect(next).toMatch(/^[0-9a-f]{64}$/u)
  expect(next).toBe(await sessionKey(key, exchanged))
})

it('a proof is valid for no other origin, challenge, greeting or key', async () => {
  const exchanged = await exchange()
  const [window, muster] = [await windowProof(key, exchanged), await musterProof(await verifierOf(key), exchanged)]
  for (const other of [
    { origin: 'http://127.0.0.1:4001' },
    { muster: nonce() },
    { window: nonce() },
    { id: nonce() },
  ]) {
    expect(await checkWindow(await verifierOf(key), { ...exchanged, ...other }, window)).toBe(null)
    expect(await musterProof(await verifierOf(key), { ...exchanged, ...other })).not.toBe(muster)
  }
  expect(await checkWindow(await verifierOf('b'.repeat(43)), exchanged, window)).toBe(null)
})

it("the stored verifier gives neither the key nor a window's proof", async () => {
  const exchanged = await exchange()
  const verifier = await verifierOf(key)
  for (const stolen of [verifier.id, verifier.stored, verifier.muster])
    expect(await checkWindow(verifier, exchanged, await windowProof(stolen, exchanged))).toBe(null)
  expect(await checkWindow(verifier, exchanged, await musterProof(verifier, exchanged))).toBe(null)
  expect(await checkWindow(verifier, exchanged, verifier.stored)).toBe(null)
})

it('a malformed proof is none', async () => {
  const exchanged = await exchange()
  for (const proof of ['', 'x', '0'.repeat(63), `${'0'.repeat(64)}00`, 'Z'.repeat(64)])
    expect(await checkWindow(await verifierOf(key), exchanged, proof)).toBe(null)
})

it('two texts are equal when they are', () => {
  assert(property(string(), string(), (one, other) => same(one, one) && same(one, other) === (one === other)))
})
