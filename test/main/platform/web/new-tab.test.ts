import { describe, expect, it, onTestFinished } from 'vitest'
import { nonce, signedOutCode, verifierOf } from '../../../../src-shared/lib/proof.ts'
import { keyIn } from '../../../support/sign-in.ts'
import { refusal, serve } from './served.ts'
import { openTab } from './tab.ts'

/** All that the tabs of this port say to each other. */
function overhear(port: number): { channel: BroadcastChannel; received: unknown[] } {
  const channel = new BroadcastChannel(`muster ${port}`)
  const received: unknown[] = []
  channel.addEventListener('message', (event) => received.push((event as MessageEvent<unknown>).data))
  onTestFinished(() => channel.close())
  return { channel, received }
}

describe('a new tab', () => {
  it('is admitted by the signed-in tabs, however many, with a session of its own', async () => {
    const { server, sessions } = await serve()
    const first = [openTab(server.port, keyIn(server.newUrl())), openTab(server.port, keyIn(server.newUrl()))]
    for (const { seen } of first) await expect.poll(() => seen).toContain('reached')
    const { received } = overhear(server.port)
    const tab = openTab(server.port, null)
    await expect.poll(() => tab.seen).toEqual(['in', 'reached'])
    const kept = [tab, ...first].map((each) => [...each.kept.entries()])
    for (const each of kept) expect(each).toEqual([['muster.session', expect.stringMatching(/^[0-9a-f]{64}$/u)]])
    expect(new Set(kept.map((each) => each[0]?.[1])).size).toBe(3)
    await expect.poll(() => received).toHaveLength(3)
    expect(received.map((message) => Object.keys(message as object))).toEqual([['ask'], ['vouched'], ['vouched']])
    for (const text of JSON.stringify(received).match(/[0-9a-f]{64}/gu) ?? [])
      expect(await refusal(server.port, text)).toBe(signedOutCode)
    expect(
      (
        await Promise.all(
          kept.map(async (each) => sessions.find((await verifierOf(each[0]?.[1] ?? '')).id, server.port)),
        )
      ).includes(null),
    ).toBe(false)
  })

  it('that no tab answers within a second stays out, and signs in by a URL', async () => {
    const { server } = await serve()
    const tab = openTab(server.port, null)
    const { received } = overhear(server.port)
    await expect.poll(() => received).toHaveLength(1)
    expect(tab.seen).toEqual([])
    await tab.clock.advance(1000)
    await expect.poll(() => tab.seen).toEqual(['out'])
    tab.keys.take(keyIn(server.newUrl()))
    tab.pipe.signIn()
    await expect.poll(() => tab.seen).toEqual(['out', 'in', 'reached'])
  })

  it('stays out when a signed-out tab vouches for it, and does not ask again', async () => {
    const { server } = await serve()
    const { channel, received } = overhear(server.port)
    channel.addEventListener('message', (event) => {
      const { ask } = (event as MessageEvent<{ ask?: { id: string } }>).data
      if (ask !== undefined) channel.postMessage({ vouched: ask.id })
    })
    const tab = openTab(server.port, null)
    await expect.poll(() => tab.seen).toContain('out')
    expect(tab.kept.size).toBe(0)
    expect(received).toHaveLength(1)
  })

  it('waits for the answer that names it, and ignores one for another tab', async () => {
    const { server } = await serve()
    const { channel, received } = overhear(server.port)
    channel.addEventListener('message', (event) => {
      const { ask } = (event as MessageEvent<{ ask?: { id: string } }>).data
      // The second one is named, by who is not in: it is out when it has tried.
      if (ask !== undefined) channel.postMessage({ vouched: received.length === 1 ? nonce() : ask.id })
    })
    const tab = openTab(server.port, null)
    await expect.poll(() => received).toHaveLength(1)
    const later = openTab(server.port, null)
    await expect.poll(() => later.seen).toContain('out')
    expect(tab.seen).toEqual([])
    await tab.clock.advance(1000)
    await expect.poll(() => tab.seen).toEqual(['out'])
  })

  it('is not admitted by a tab that has lost its Muster', async () => {
    const { server } = await serve()
    const first = openTab(server.port, keyIn(server.newUrl()))
    await expect.poll(() => first.seen).toContain('reached')
    await server.stop()
    await expect.poll(() => first.seen).toContain('lost')
    const { channel, received } = overhear(server.port)
    const asked = { ask: await verifierOf(nonce()) }
    channel.postMessage(asked)
    const tab = openTab(server.port, null)
    await expect.poll(() => received).toHaveLength(1)
    await tab.clock.advance(1000)
    await expect.poll(() => tab.seen).toContain('out')
    expect(received.map((message) => Object.keys(message as object))).toEqual([['ask']])
  })

  it('that sends an invalid verifier gets no answer, and the other tab goes on', async () => {
    const { server } = await serve()
    const first = openTab(server.port, keyIn(server.newUrl()))
    await expect.poll(() => first.seen).toContain('reached')
    const { channel, received } = overhear(server.port)
    const whole = await verifierOf(nonce())
    for (const message of [
      null,
      'ask',
      {},
      { ask: null },
      { ask: 'x' },
      { ask: {} },
      { ask: { ...whole, stored: 'x' } },
      { ask: { ...whole, id: 7 } },
      { ask: whole },
    ])
      channel.postMessage(message)
    await expect.poll(() => received).toEqual([{ vouched: whole.id }])
  })

  it('is admitted by no tab after signing out everywhere', async () => {
    const { server, sessions } = await serve()
    const first = openTab(server.port, keyIn(server.newUrl()))
    await expect.poll(() => first.seen).toContain('reached')
    sessions.end()
    await expect.poll(() => first.seen).toContain('lost')
    const { received } = overhear(server.port)
    const tab = openTab(server.port, null)
    await expect.poll(() => received.length).toBeGreaterThan(0)
    for (const { clock } of [first, tab]) await clock.advance(1000)
    for (const { seen } of [first, tab]) await expect.poll(() => seen).toContain('out')
    expect(received.some((message) => 'vouched' in (message as object))).toBe(false)
  })
})
