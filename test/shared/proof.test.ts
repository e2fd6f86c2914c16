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
  const said = await exchange()
  const next = await checkWindow(await verifierOf(key), said, await windowProof(key, said))
  expect(next).toMatch(/^[0-9a-f]{64}$/u)
  expect(next).toBe(await sessionKey(key, said))
})

it('a proof is valid for no other origin, challenge, greeting or key', async () => {
  const said = await exchange()
  const [window, muster] = [await windowProof(key, said), await musterProof(await verifierOf(key), said)]
  for (const other of [
    { origin: 'http://127.0.0.1:4001' },
    { muster: nonce() },
    { window: nonce() },
    { id: nonce() },
  ]) {
    expect(await checkWindow(await verifierOf(key), { ...said, ...other }, window)).toBe(null)
    expect(await musterProof(await verifierOf(key), { ...said, ...other })).not.toBe(muster)
  }
  expect(await checkWindow(await verifierOf('b'.repeat(43)), said, window)).toBe(null)
})

it("the stored verifier gives neither the key nor a window's proof", async () => {
  const said = await exchange()
  const verifier = await verifierOf(key)
  for (const kept of [verifier.id, verifier.stored, verifier.muster])
    expect(await checkWindow(verifier, said, await windowProof(kept, said))).toBe(null)
  expect(await checkWindow(verifier, said, await musterProof(verifier, said))).toBe(null)
  expect(await checkWindow(verifier, said, verifier.stored)).toBe(null)
})

it('a malformed proof is none', async () => {
  const said = await exchange()
  for (const proof of ['', 'x', '0'.repeat(63), `${'0'.repeat(64)}00`, 'Z'.repeat(64)])
    expect(await checkWindow(await verifierOf(key), said, proof)).toBe(null)
})

it('two texts are equal when they are', () => {
  assert(property(string(), string(), (one, other) => same(one, one) && same(one, other) === (one === other)))
})
