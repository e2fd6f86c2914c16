import { describe, expect, it } from 'vitest'
import { nonce, verifierOf } from '../../../../src-shared/lib/proof.ts'
import { openDoor } from '../../../../src-main/platform/web/sign-in/door.ts'
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
    door: openDoor(
      () => 4711,
      clock,
      sessions,
      (key) => gone.push(key),
    ),
  }
}

describe('signing out everywhere', () => {
  it('ends a sign-in whose session key is just being computed', async () => {
    const { door, sessions, gone } = open()
    const key = door.newKey(null)
    const { id } = await verifierOf(key)
    expect(await door.find(id)).not.toBe(null)
    const session = nonce()
    const entering = door.enter(id, session)
    expect(gone).toEqual([key])
    sessions.end()
    expect(await entering).toBe(null)
    expect([await door.find(id), await door.find((await verifierOf(session)).id)]).toEqual([null, null])
  })

  it('ends a one-time key that is just being made', async () => {
    const { door, sessions, gone } = open()
    const key = door.newKey(null)
    sessions.end()
    expect(await door.find((await verifierOf(key)).id)).toBe(null)
    expect(gone).toEqual([key])
  })

  it('ends a vouched key', async () => {
    const { door, sessions } = open()
    const verifier = await verifierOf(nonce())
    door.admit(verifier)
    expect(await door.find(verifier.id)).toEqual(verifier)
    sessions.end()
    expect(await door.find(verifier.id)).toBe(null)
  })
})

describe('a vouched key', () => {
  it('is valid for half a minute from its first mention', async () => {
    const { door, clock } = open()
    const verifier = await verifierOf(nonce())
    door.admit(verifier)
    await clock.advance(29_000)
    door.admit(verifier)
    expect(await door.find(verifier.id)).toEqual(verifier)
    await clock.advance(1000)
    expect(await door.find(verifier.id)).toBe(null)
  })

  it('is used up by one sign-in', async () => {
    const { door } = open()
    const verifier = await verifierOf(nonce())
    door.admit(verifier)
    expect(await door.enter(verifier.id, nonce())).not.toBe(null)
    expect(await door.enter(verifier.id, nonce())).toBe(null)
  })

  it('replaces no other key, and no session', async () => {
    const { door, sessions } = open()
    const [once, session] = [await verifierOf(door.newKey(null)), await verifierOf(nonce())]
    sessions.add(session, 4711)
    await door.find(once.id)
    for (const { id } of [once, session]) door.admit({ ...(await verifierOf(nonce())), id })
    expect([await door.find(once.id), await door.find(session.id)]).toMatchObject([once, session])
  })

  it('is one of 32 at most: then the oldest is dropped, and no key of a URL', async () => {
    const { door } = open()
    const printed = await verifierOf(door.newKey(null))
    const verifiers = await Promise.all(Array.from({ length: 33 }, () => verifierOf(nonce())))
    for (const verifier of verifiers) door.admit(verifier)
    const found = await Promise.all(verifiers.map(({ id }) => door.find(id)))
    expect(found.map((each) => each !== null)).toEqual([false, ...Array.from({ length: 32 }, () => true)])
    expect(await door.find(printed.id)).toEqual(printed)
  })
})
