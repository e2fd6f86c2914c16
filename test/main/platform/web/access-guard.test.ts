import { describe, expect, it } from 'vitest'
import { nonce, verifierOf } from '../../../../src-shared/lib/proof.ts'
import { openAccessGuard } from '../../../../src-main/platform/web/sign-in/access-guard.ts'
import { openSessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { ownFolder } from '../shared/folder.ts'

function open() {
  const clock = manualClock()
  const sessions = openSessions(ownFolder(), clock)
  const gone: string[] = []
  return {
    clock,
    sessions,
    gone,
    guard: openAccessGuard(
      () => 4711,
      clock,
      sessions,
      (key) => gone.push(key),
    ),
  }
}

describe('signing out everywhere', () => {
  it('ends a sign-in whose session key is just being computed', async () => {
    const { guard, sessions, gone } = open()
    const key = guard.newKey(null)
    const { id } = await verifierOf(key)
    expect(await guard.find(id)).not.toBe(null)
    const session = nonce()
    const entering = guard.enter(id, session)
    expect(gone).toEqual([key])
    sessions.end()
    expect(await entering).toBe(null)
    expect([await guard.find(id), await guard.find((await verifierOf(session)).id)]).toEqual([null, null])
  })

  it('ends a one-time key that is just being made', async () => {
    const { guard, sessions, gone } = open()
    const key = guard.newKey(null)
    sessions.end()
    expect(await guard.find((await verifierOf(key)).id)).toBe(null)
    expect(gone).toEqual([key])
  })

  it('ends a vouched key', async () => {
    const { guard, sessions } = open()
    const verifier = await verifierOf(nonce())
    guard.admit(verifier)
    expect(await guard.find(verifier.id)).toEqual(verifier)
    sessions.end()
    expect(await guard.find(verifier.id)).toBe(null)
  })
})

describe('a vouched key', () => {
  it('is valid for half a minute from its first mention', async () => {
    const { guard, clock } = open()
    const verifier = await verifierOf(nonce())
    guard.admit(verifier)
    await clock.advance(29_000)
    guard.admit(verifier)
    expect(await guard.find(verifier.id)).toEqual(verifier)
    await clock.advance(1000)
    expect(await guard.find(verifier.id)).toBe(null)
  })

  it('is used up by one sign-in', async () => {
    const { guard } = open()
    const verifier = await verifierOf(nonce())
    guard.admit(verifier)
    expect(await guard.enter(verifier.id, nonce())).not.toBe(null)
    expect(await guard.enter(verifier.id, nonce())).toBe(null)
  })

  it('replaces no other key, and no session', async () => {
    const { guard, sessions } = open()
    const [once, session] = [await verifierOf(guard.newKey(null)), await verifierOf(nonce())]
    sessions.add(session, 4711)
    await guard.find(once.id)
    for (const { id } of [once, session]) guard.admit({ ...(await verifierOf(nonce())), id })
    expect([await guard.find(once.id), await guard.find(session.id)]).toMatchObject([once, session])
  })

  it('is one of 32 at most: then the oldest is dropped, and no key of a URL', async () => {
    const { guard } = open()
    const printed = await verifierOf(guard.newKey(null))
    const verifiers = await Promise.all(Array.from({ length: 33 }, () => verifierOf(nonce())))
    for (const verifier of verifiers) guard.admit(verifier)
    const found = await Promise.all(verifiers.map(({ id }) => guard.find(id)))
    expect(found.map((each) => each !== null)).toEqual([false, ...Array.from({ length: 32 }, () => true)])
    expect(await guard.find(printed.id)).toEqual(printed)
  })
})
