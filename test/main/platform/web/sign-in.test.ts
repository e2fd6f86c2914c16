import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type WebSocket } from 'ws'
import { nonce, sessionKey, signedOutCode, windowProof } from '../../../../src-shared/lib/proof.ts'
import { startServer } from '../../../../src-main/platform/web/server.ts'
import { openSessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { greet, keyIn, nextFrame, signInBy } from '../../../support/sign-in.ts'
import { ownFolder } from '../shared/folder.ts'
import { arrive, inside, originOf, refusal, serve, spoken } from './served.ts'
import { openTab, thief } from './tab.ts'

describe('a restart', () => {
  it('admits the signed-in window, on its port, and nobody else', async () => {
    const folder = ownFolder()
    const clock = manualClock()
    const start = (port: number) =>
      startServer({
        core: spoken().core,
        clock,
        log: () => {},
        window: folder,
        port,
        token: 't',
        sessions: openSessions(folder, clock),
        onKeyGone: () => {},
      })
    const first = await start(0)
    const once = keyIn(first.newUrl())
    const key = await sessionKey(once, await signInBy(await arrive(first.port), once, originOf(first.port)))
    await first.stop()
    const second = await start(first.port)
    onTestFinished(() => second.stop())
    expect(await refusal(second.port, key)).toBe(null)
    for (const other of [once, `${key}x`, nonce()]) expect(await refusal(second.port, other)).toBe(signedOutCode)
    const elsewhere = await start(0)
    onTestFinished(() => elsewhere.stop())
    expect(await refusal(elsewhere.port, key)).toBe(signedOutCode)
    const kept = readFileSync(path.join(folder, 'sessions.json'), 'utf8')
    expect([kept.includes(key), kept.includes(once)]).toEqual([false, false])
    for (const { stored, muster, id } of JSON.parse(kept))
      for (const part of [stored, muster, id]) expect(await refusal(second.port, part)).toBe(signedOutCode)
    expect(statSync(path.join(folder, 'sessions.json')).mode & 0o777).toBe(0o600)
  })
})

describe('sign-in', () => {
  it('uses a key that works once, by a proof of both sides', async () => {
    const running = await serve()
    const key = keyIn(running.server.newUrl())
    const { port } = running.server
    const socket = await arrive(port)
    const { exchange, genuine } = await greet(socket, key, originOf(port))
    expect([genuine, running.gone]).toEqual([true, []])
    const welcomed = nextFrame(socket)
    socket.send(JSON.stringify({ proof: await windowProof(key, exchange) }))
    expect(await welcomed).toEqual({ welcome: true })
    expect(running.gone).toEqual([key])
    expect(await refusal(port, key)).toBe(signedOutCode)
    expect(await refusal(port, await sessionKey(key, exchange))).toBe(null)
  })

  it('with one key admits the first of two windows', async () => {
    const running = await serve()
    const { port } = running.server
    const key = keyIn(running.server.newUrl())
    const sockets = await Promise.all([arrive(port), arrive(port)])
    const said = await Promise.all(sockets.map((socket) => greet(socket, key, originOf(port))))
    const ended = sockets.map((socket) =>
      Promise.race([nextFrame(socket), once(socket, 'close').then(([code]) => code as number)]),
    )
    for (const [at, socket] of sockets.entries()) {
      const exchange = said[at]?.exchange
      if (exchange !== undefined) socket.send(JSON.stringify({ proof: await windowProof(key, exchange) }))
    }
    expect((await Promise.all(ended)).toSorted()).toEqual([signedOutCode, { welcome: true }])
  })

  it('rejects a guess, a proof for another port, and a proof that was used before', async () => {
    const running = await serve()
    const { port } = running.server
    const key = keyIn(running.server.newUrl())
    expect(await refusal(port, nonce().slice(0, 43))).toBe(signedOutCode)
    const first = await arrive(port)
    const { exchange } = await greet(first, key, originOf(port + 1))
    const closed = once(first, 'close')
    const proof = await windowProof(key, exchange)
    first.send(JSON.stringify({ proof }))
    expect((await closed)[0]).toBe(signedOutCode)
    const second = await arrive(port)
    await greet(second, key, originOf(port))
    const again = once(second, 'close')
    second.send(JSON.stringify({ proof }))
    expect((await again)[0]).toBe(signedOutCode)
    expect(await refusal(port, key)).toBe(null)
  })

  it('sends nothing and answers no call before the proof', async () => {
    const running = await serve()
    const frames: string[] = []
    for (const text of [
      '{"id":1,"call":"connections.retry","input":{"id":"c"}}',
      'x',
      '{"hello":{"id":"x","nonce":"y"}}',
      '[]',
      '{"proof":""}',
    ]) {
      const socket = await arrive(running.server.port)
      socket.on('message', (data) => frames.push(String(data)))
      const closed = once(socket, 'close')
      running.tell('banners', [])
      socket.send(text)
      expect((await closed)[0]).toBe(1008)
    }
    expect([frames, running.report]).toEqual([[], []])
  })

  it('closes a socket that is silent for 10 s, or sends more than a sign-in takes', async () => {
    const running = await serve()
    const silent = await arrive(running.server.port)
    const [quiet, loud] = [once(silent, 'close'), await arrive(running.server.port)]
    const closed = once(loud, 'close')
    loud.send('x'.repeat(100_000))
    expect((await closed)[0]).toBe(1006)
    await running.clock.advance(10_000)
    expect((await quiet)[0]).toBe(1006)
  })

  it('admits no more than 32 attempts at a time', async () => {
    const running = await serve()
    const { port } = running.server
    const knocking = await Promise.all(Array.from({ length: 32 }, () => arrive(port)))
    await expect(arrive(port)).rejects.toThrow('403')
    const gone = once(knocking[0] as WebSocket, 'close')
    knocking[0]?.terminate()
    await gone
    await expect
      .poll(() =>
        inside(running).then(
          () => 'in',
          () => 'refused',
        ),
      )
      .toBe('in')
  })

  it('gives a second start a key for five minutes, for the lock’s token and never to a page', async () => {
    const running = await serve()
    const { port } = running.server
    const key = (headers: Record<string, string>) => running.get('/key', { method: 'POST', headers })
    expect((await key({})).status).toBe(403)
    expect((await key({ authorization: 'Bearer guess' })).status).toBe(403)
    expect((await key({ authorization: 'Bearer lock-token', origin: originOf(port) })).status).toBe(403)
    const given = async () => keyIn(String(JSON.parse((await key({ authorization: 'Bearer lock-token' })).text).url))
    const [soon, late] = [await given(), await given()]
    const printed = keyIn(running.server.newUrl())
    await running.clock.advance(299_000)
    expect(await refusal(port, soon)).toBe(null)
    await running.clock.advance(1000)
    expect(running.gone).toEqual([soon, late])
    expect(await refusal(port, late)).toBe(signedOutCode)
    expect(await refusal(port, printed)).toBe(null)
  })
})

describe('signing out everywhere', () => {
  it('closes every window, answers none of its calls, and ends sessions and unused keys', async () => {
    const running = await serve()
    const { port } = running.server
    const [used, unused] = [keyIn(running.server.newUrl()), keyIn(running.server.newUrl())]
    const socket = await arrive(port)
    const session = await sessionKey(used, await signInBy(socket, used, originOf(port)))
    const other = await inside(running, true, session)
    const closed = [socket, other].map((each) => once(each, 'close').then(([code]) => code as number))
    running.sessions.end()
    socket.send(JSON.stringify({ id: 1, call: 'connections.retry', input: { id: 'c' } }))
    expect(await Promise.all(closed)).toEqual([signedOutCode, signedOutCode])
    expect(running.report).toEqual([])
    for (const key of [used, unused, session]) expect(await refusal(port, key)).toBe(signedOutCode)
    expect(await refusal(port, keyIn(running.server.newUrl()))).toBe(null)
  })

  it('also ends a sign-in in progress', async () => {
    const running = await serve()
    const { port } = running.server
    const key = keyIn(running.server.newUrl())
    const socket = await arrive(port)
    const { exchange } = await greet(socket, key, originOf(port))
    running.sessions.end()
    const closed = once(socket, 'close')
    socket.send(JSON.stringify({ proof: await windowProof(key, exchange) }))
    expect((await closed)[0]).toBe(signedOutCode)
  })
})

describe('a window that stays open', () => {
  it('is in use for all of its 90 days', async () => {
    const running = await serve()
    const { port } = running.server
    const key = keyIn(running.server.newUrl())
    const socket = await arrive(port)
    const session = await sessionKey(key, await signInBy(socket, key, originOf(port)))
    const other = keyIn(running.server.newUrl())
    const idle = await arrive(port)
    const idleSession = await sessionKey(other, await signInBy(idle, other, originOf(port)))
    idle.terminate()
    const alive = async () => {
      const pinged = once(socket, 'ping')
      await running.clock.advance(15_000)
      await pinged
      socket.send(JSON.stringify({ id: 1, call: 'connections.retry', input: { id: 'c' } }))
      await nextFrame(socket)
    }
    await alive()
    running.clock.jump(89 * 24 * 3_600_000)
    await alive()
    running.clock.jump(2 * 24 * 3_600_000)
    expect(await refusal(port, session)).toBe(null)
    expect(await refusal(port, idleSession)).toBe(signedOutCode)
  })
})

describe('an attacker on the port while Muster is away', () => {
  it('learns nothing that opens Muster later, and the window reconnects by itself', async () => {
    const running = await serve()
    const { port } = running.server
    const window = openTab(port, keyIn(running.server.newUrl()))
    await expect.poll(() => window.seen).toContain('reached')
    await running.server.stop()
    const taken = await thief(port, async () => ({ challenge: { nonce: nonce(), proof: nonce() } }))
    await expect.poll(() => window.seen).toContain('lost')
    await window.clock.advance(200)
    await expect.poll(() => window.seen).toContain('stranger')
    const secret = [...window.kept.values()]
    const said = [...taken.report, ...taken.headers].join('\n')
    expect(secret).toHaveLength(1)
    expect(said).not.toContain(secret[0])
    expect(taken.report.map((text) => Object.keys(JSON.parse(text) as object))).toEqual([['hello']])
    await taken.stop()

    const clock = manualClock()
    const back = await startServer({
      core: spoken().core,
      clock,
      log: () => {},
      window: running.folder,
      port,
      token: 't',
      sessions: openSessions(running.folder, running.clock),
      onKeyGone: () => {},
    })
    onTestFinished(() => back.stop())
    const replayed = await arrive(port)
    const closed = once(replayed, 'close')
    for (const text of taken.report) replayed.send(text)
    await nextFrame(replayed)
    // It has no answer to the challenge: what it was told, it was told for another one.
    replayed.send(taken.report[0] ?? '')
    expect((await closed)[0]).toBe(1008)
    await window.clock.advance(5000)
    await expect.poll(() => window.seen.at(-1)).toBe('reached')
  })

  it('cannot forward its greeting to a Muster on another port', async () => {
    const running = await serve()
    const { port } = running.server
    const window = openTab(port, keyIn(running.server.newUrl()))
    await expect.poll(() => window.seen).toContain('reached')
    await running.server.stop()
    const moved = await startServer({
      core: spoken().core,
      clock: running.clock,
      log: () => {},
      window: running.folder,
      port: 0,
      token: 't',
      sessions: openSessions(running.folder, running.clock),
      onKeyGone: () => {},
    })
    onTestFinished(() => moved.stop())
    const codes: number[] = []
    await thief(port, async (hello) => {
      const socket = await arrive(moved.port)
      socket.on('close', (code) => codes.push(code))
      socket.send(JSON.stringify({ hello }))
      return Promise.race([
        nextFrame(socket),
        once(socket, 'close').then(() => ({ challenge: { nonce: nonce(), proof: nonce() } })),
      ])
    })
    await expect.poll(() => window.seen).toContain('lost')
    await window.clock.advance(200)
    await expect.poll(() => window.seen).toContain('stranger')
    expect(codes).toEqual([signedOutCode])
  })
})
