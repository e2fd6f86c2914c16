import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FaultError } from '../../src-shared/model/fault.ts'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import { openEngine } from '../../src-main/platform/electron/updates/updater.ts'
import { assertDownloaded, createUpdater } from '../../src-main/updates/release/engine.ts'
import type { Offer } from '../../src-main/updates/ports.ts'
import { releaseFor } from '../../src-main/updates/release/release.ts'
import { failureMessage } from '../../src-main/updates/messages.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { manualClock } from '../support/clock.ts'
import { hashOf, startUpdateFeed } from '../support/update-feed.ts'
import { ownFolder } from '../main/platform/shared/folder.ts'

const platform = 'linux'
const bytes = Buffer.from('#!/bin/sh\necho new\n'.repeat(5000))

/** electron-updater itself, with a real feed on HTTPS; only Electron's application and the installing are not there. */
async function copy({ version = '1.0.0', clock = systemClock as Clock, profile = ownFolder() } = {}) {
  const feed = await startUpdateFeed({
    push: (stop) =>
      onTestFinished(async () => {
        await stop()
      }),
  })
  vi.stubEnv('APPIMAGE', '/opt/Muster.AppImage')
  onTestFinished(() => void vi.unstubAllEnvs())
  const app = {
    whenReady: async () => {},
    quit: () => {},
    relaunch: () => {},
    once: () => {},
    releaseSingleInstanceLock: () => {},
    requestSingleInstanceLock: () => true,
  }
  const engine = openEngine({
    app: app as unknown as Parameters<typeof openEngine>[0]['app'],
    version,
    publishers: [],
    kind: 'AppImage',
    profile,
    flags: [],
  })
  const updater = createUpdater({ engine, network: openNetwork({}), clock, platform, arch: process.arch })
  const pending = path.join(profile, 'updates', 'pending')
  const { signal } = new AbortController()
  const ask = (channel: 'latest' | 'beta' = 'latest', ca = feed.ca) =>
    updater.check({ url: feed.url, channel, ca }, signal)
  const offered = async (): Promise<Offer> => {
    const offer = await ask()
    if (offer === null) throw new Error('nothing is offered')
    return offer
  }
  return { feed, engine, updater, pending, profile, signal, ask, offered }
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  )
  if (typeof thrown === 'string') return thrown
  return thrown instanceof FaultError ? thrown.message.replaceAll(/127\.0\.0\.1:\d+/g, 'feed') : failureMessage(thrown)
}

const there = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'update-info.json') : []

describe('checking a feed', () => {
  it('finds a newer version, and nothing in an equal or older one', async () => {
    const { feed, ask } = await copy()
    feed.offer('1.2.0', bytes, { notes: '<b>New</b>\r\n\u202Ea rail' })
    expect((await ask())?.update).toEqual({
      version: '1.2.0',
      notes: '<b>New</b>\na rail',
      releasedAt: Date.parse('2026-11-20T10:00:00Z'),
      size: bytes.length,
    })
    feed.offer('1.0.0', bytes)
    expect(await ask()).toBeNull()
    feed.offer('0.9.0', bytes)
    expect(await ask()).toBeNull()
    expect(new Set(feed.asked).size).toBe(1)
  })

  it('follows the channel', async () => {
    const { feed, ask } = await copy()
    feed.offer('1.2.0', bytes)
    feed.offer('1.3.0-beta.1', bytes, { channel: 'beta' })
    expect((await ask('latest'))?.update.version).toBe('1.2.0')
    expect((await ask('beta'))?.update.version).toBe('1.3.0-beta.1')
  })

  it('accepts a feed without a trailing slash, and an entry without a size', async () => {
    const { feed, updater, pending, signal } = await copy()
    feed.offer('1.2.0', bytes, { size: null })
    const offer = await updater.check({ url: feed.url.replace(/\/$/u, ''), channel: 'latest', ca: feed.ca }, signal)
    if (offer === null) throw new Error('nothing is offered')
    expect(offer.update.size).toBeNull()
    await updater.download(offer, () => {}, signal)
    expect(there(pending)).toEqual(['Muster-1.2.0.AppImage'])
  })

  it('reports a newer version that the feed has for another processor or package only', async () => {
    const { feed, ask } = await copy()
    const other = process.arch === 'x64' ? 'aarch64' : 'x86_64'
    feed.offer('1.2.0', bytes, { name: `Muster-1.2.0-linux-${other}.AppImage` })
    expect(await faultOf(ask())).toBe('update: the feed has 1.2.0 for another processor or package only')
    feed.offer('1.2.0', bytes, { name: 'Muster-1.2.0-linux.deb' })
    expect(await faultOf(ask())).toBe('update: the feed has 1.2.0 for another processor or package only')
    feed.offer('1.0.0', bytes, { name: `Muster-1.0.0-linux-${other}.AppImage` })
    expect(await ask()).toBeNull()
  })

  it('takes of an entry the one package of its processor', () => {
    const files = ['a-win-arm64.exe', 'a-win-x64.exe', 'a.exe', 'a-win-x64.zip'].map((url, size) => ({
      url,
      sha512: hashOf(bytes),
      size,
    }))
    const taken = (arch: string, from = files) =>
      releaseFor({ version: '1.2.0', files: from }, 'exe', arch)?.files.map(({ url }) => url)
    expect([
      taken('x64'),
      taken('arm64'),
      taken('riscv64'),
      taken('x64', files.slice(0, 1)),
      taken('arm64', files.slice(2)),
    ]).toEqual([['a-win-x64.exe'], ['a-win-arm64.exe'], ['a.exe'], undefined, ['a.exe']])
  })

  it('trusts the feed by its own CA alone', async () => {
    const { feed, ask } = await copy()
    feed.offer('1.2.0', bytes)
    expect(await faultOf(ask('latest', ''))).toMatch(/^tls: feed: /)
  })

  it('reports a feed that is missing, garbage, endless or elsewhere', async () => {
    const { feed, ask } = await copy()
    const entry = feed.asked
    expect(await faultOf(ask())).toBe('not-found: HTTP 404 from feed')
    const name = path.basename(entry[0] ?? '')
    const answered = async (text: string) => {
      feed.answer(name, (_request, response) => response.end(text))
      return faultOf(ask())
    }
    expect(await answered('<html>Sign in</html>')).toContain(
      'update: the feed’s entry cannot be used: it is missing or not as expected',
    )
    expect(await answered('version: [1')).toBe('update: what the feed answers is no entry of updates')
    expect(await answered('')).toContain('update: ')
    const whole = `files: [{ url: a.AppImage, sha512: ${hashOf(bytes)} }]`
    expect(await answered(`version: banana\n${whole}`)).toContain('version is missing or not as expected')
    for (const url of [
      'https://elsewhere.example/a.AppImage',
      '//elsewhere.example/a.AppImage',
      '../a.AppImage',
      '/a.AppImage',
      'a%2f..%2fb.AppImage',
      'http:a.AppImage',
    ]) {
      expect(await answered(`version: 2.0.0\n${whole.replace('a.AppImage', JSON.stringify(url))}`)).toContain(
        'files.0.url is missing or not as expected',
      )
    }
    expect(await answered(`version: 2.0.0\nfiles: [{ url: a.AppImage, sha512: abc }]`)).toContain('files.0.sha512')
    feed.answer(name, (_request, response) => {
      const part = Buffer.alloc(64 * 1024, 'a')
      const more = (): void => {
        while (!response.destroyed && response.write(part)) {}
      }
      response.on('drain', more)
      more()
    })
    expect(await faultOf(ask())).toBe('update: what the feed answers is too long to be an entry of updates')
  })

  it('follows no redirect, neither to http nor to https', async () => {
    const { feed, ask, offered, updater, signal, pending } = await copy()
    const elsewhere = await startUpdateFeed({
      push: (stop) =>
        onTestFinished(async () => {
          await stop()
        }),
    })
    feed.offer('1.2.0', bytes)
    const offer = await offered()
    const name = path.basename(feed.asked[0] ?? '')
    for (const to of [elsewhere.url, elsewhere.url.replace('https:', 'http:')]) {
      feed.answer(name, (_request, response) => response.writeHead(302, { Location: `${to}${name}` }).end())
      expect(await faultOf(ask())).toBe('http: feed redirects to another address, which is not followed')
      feed.answer('Muster-1.2.0.AppImage', (_request, response) =>
        response.writeHead(302, { Location: `${to}a.AppImage` }).end(),
      )
      expect(await faultOf(updater.download(offer, () => {}, signal))).toBe(
        'http: feed redirects to another address, which is not followed',
      )
    }
    expect(elsewhere.asked).toEqual([])
    expect(there(pending)).toEqual([])
  })

  it('times out a silent feed, and ends a cancelled check', async () => {
    const clock = manualClock()
    const { feed, ask, updater } = await copy({ clock })
    feed.offer('1.2.0', bytes)
    await ask()
    const name = path.basename(feed.asked[0] ?? '')
    let report = () => {}
    const arrived = new Promise<void>((resolve) => (report = resolve))
    feed.answer(name, () => report())
    const asking = faultOf(ask())
    await arrived
    await clock.advance(30_000)
    expect(await asking).toBe('timeout: feed')
    const off = new AbortController()
    const calledOff = faultOf(updater.check({ url: feed.url, channel: 'latest', ca: feed.ca }, off.signal))
    off.abort(new FaultError('abort'))
    expect(await calledOff).toBe('abort')
  })
})

describe('downloading', () => {
  it('fetches the package with progress, and the next run finds it without a request', async () => {
    const { feed, updater, offered, pending, signal, profile } = await copy()
    feed.offer('1.2.0', bytes)
    const offer = await offered()
    const progress: number[] = []
    await updater.download(offer, (got) => void progress.push(got), signal)
    expect(progress.at(-1)).toBe(bytes.length)
    expect(readFileSync(path.join(pending, 'Muster-1.2.0.AppImage'))).toEqual(bytes)
    await feed.stop()
    const next = await copy({ profile })
    await assertDownloaded(next.engine, offer)
    writeFileSync(path.join(pending, 'Muster-1.2.0.AppImage'), 'something else')
    const third = await copy({ profile })
    expect(await faultOf(assertDownloaded(third.engine, offer))).toBe('update: what was downloaded is gone or damaged')
    expect(next.feed.asked).toEqual([])
    expect(third.feed.asked).toEqual([])
  })

  it('keeps nothing of a wrong, cut, longer or missing file', async () => {
    const { feed, updater, offered, pending, signal } = await copy()
    const downloaded = async () => faultOf(updater.download(await offered(), () => {}, signal))
    feed.offer('1.2.0', bytes, { sha512: hashOf(Buffer.from('other')) })
    expect(await downloaded()).toBe('update: it is not the file that the feed names: its checksum differs')
    feed.offer('1.2.1', bytes)
    feed.answer('Muster-1.2.1.AppImage', (_request, response) =>
      response
        .writeHead(200, { 'Content-Length': bytes.length })
        .write(bytes.subarray(0, 1000), () => response.destroy()),
    )
    expect(await downloaded()).toMatch(/^reset: feed/)
    feed.offer('1.2.2', bytes)
    feed.answer('Muster-1.2.2.AppImage', (_request, response) => response.end(bytes.subarray(0, 1000)))
    expect(await downloaded()).toBe('update: it is shorter than the feed says')
    feed.offer('1.2.3', bytes)
    feed.answer('Muster-1.2.3.AppImage', (_request, response) => response.end(Buffer.concat([bytes, bytes])))
    expect(await downloaded()).toBe('update: it is longer than the feed says')
    feed.offer('1.2.4', bytes)
    feed.answer('Muster-1.2.4.AppImage', (_request, response) => response.writeHead(404).end())
    expect(await downloaded()).toBe('not-found: HTTP 404 from feed')
    expect(there(pending)).toEqual([])
  })

  it('ends a download that has stalled for a minute, and a cancelled one', async () => {
    const clock = manualClock()
    const { feed, updater, offered, pending, signal } = await copy({ clock })
    feed.offer('1.2.0', bytes)
    feed.answer(
      'Muster-1.2.0.AppImage',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 1000)),
    )
    const offer = await offered()
    let begun = () => {}
    const first = new Promise<void>((resolve) => (begun = resolve))
    const stalled = faultOf(updater.download(offer, begun, signal))
    await first
    await clock.advance(60_000)
    expect(await stalled).toBe('timeout: feed')
    const off = new AbortController()
    const second = new Promise<void>((resolve) => (begun = resolve))
    const calledOff = faultOf(updater.download(offer, () => begun(), off.signal))
    await second
    off.abort(new FaultError('abort'))
    expect(await calledOff).toBe('abort')
    let arrived = () => {}
    const asked = new Promise<void>((resolve) => (arrived = resolve))
    feed.answer('Muster-1.2.0.AppImage', () => arrived())
    const silent = faultOf(updater.download(offer, () => {}, signal))
    await asked
    await clock.advance(60_000)
    expect(await silent).toBe('timeout: feed')
    expect(there(pending)).toEqual([])
  })

  it('waits for one that is slow and not silent', async () => {
    const clock = manualClock()
    const { feed, updater, offered, signal } = await copy({ clock })
    feed.offer('1.2.0', bytes)
    const offer = await offered()
    let write: (part: Buffer) => unknown = () => {}
    feed.answer('Muster-1.2.0.AppImage', (_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length })
      write = (part) => response.write(part)
      write(bytes.subarray(0, 1000))
    })
    const got: number[] = []
    const done = faultOf(updater.download(offer, (all) => void got.push(all), signal))
    for (let sent = 1000; sent < bytes.length; sent += Math.ceil(bytes.length / 4)) {
      await expect.poll(() => got.at(-1)).toBe(sent)
      await clock.advance(59_000)
      write(bytes.subarray(sent, sent + Math.ceil(bytes.length / 4)))
    }
    expect(await done).toBe('nothing was thrown')
  })

  it('does not download a version that is not newer any more', async () => {
    const { feed, updater, signal } = await copy({ version: '1.5.0' })
    const release = { version: '1.2.0', files: [{ url: 'Muster-1.2.0.AppImage', sha512: hashOf(bytes) }] }
    const offer: Offer = {
      update: { version: '1.2.0', notes: '', releasedAt: null, size: null },
      release,
      feed: { url: feed.url, channel: 'latest', ca: feed.ca },
    }
    expect(await faultOf(updater.download(offer, () => {}, signal))).toBe(
      'update: it is not newer, or not for this computer',
    )
    expect(feed.asked).toEqual([])
  })
})
