import { describe, expect, it } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Engine } from '../../../src-main/updates/release/engine.ts'
import { installPending } from '../../../src-main/updates/install/install.ts'
import { triedMessage } from '../../../src-main/updates/state-machine.ts'
import type { Feed, PendingUpdate } from '../../../src-main/updates/ports.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { offerOf } from './copies.ts'

const offer = offerOf('1.2.0')

/** A start of this version with what is kept; `engine` is what the system does then. */
function start({
  kept = { offer, tried: false } as PendingUpdate | null,
  version = '1.0.0',
  full = false,
  postpone = false,
  feed = offer.feed as Feed,
  engine: own = {} as Partial<Engine>,
} = {}) {
  const clock = manualClock()
  const seen = { now: kept, installs: 0, log: [] as string[] }
  const pendingStore = {
    read: () => seen.now,
    write: (next: PendingUpdate | null) => {
      if (full && next !== null) throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      seen.now = next
    },
  }
  const engine: Engine = {
    extension: 'AppImage',
    accepts: async () => true,
    download: async () => {},
    restart: () => {
      throw new Error('nobody asked for that')
    },
    ...own,
    install: (late) => {
      seen.installs += 1
      return own.install?.(late) ?? Promise.resolve()
    },
  }
  return {
    clock,
    seen,
    done: () =>
      installPending({
        pendingStore,
        version,
        feed,
        postpone,
        engine,
        clock,
        log: (_level, text) => void seen.log.push(text),
      }),
  }
}

describe('a start', () => {
  it('goes on without a pending update', async () => {
    const { done, seen } = start({ kept: null })
    expect(await done()).toEqual({ restarting: false, failure: '' })
    expect(seen.installs).toBe(0)
  })

  it('installs a whole pending update, and stores the attempt before', async () => {
    let noted: PendingUpdate | null = null
    const { done, seen } = start({ engine: { install: async () => void (noted = seen.now) } })
    expect(await done()).toEqual({ restarting: true, failure: '' })
    expect(noted).toEqual({ offer, tried: true })
    expect(seen.installs).toBe(1)
  })

  it('drops it when it is installed, or when a newer one is', async () => {
    const same = start({ version: '1.2.0', kept: { offer, tried: true } })
    expect(await same.done()).toEqual({ restarting: false, failure: '' })
    expect([same.seen.now, same.seen.installs]).toEqual([null, 0])
    const newer = start({ version: '1.4.0', kept: { offer, tried: true }, engine: { accepts: async () => false } })
    expect(await newer.done()).toEqual({ restarting: false, failure: '' })
    expect([newer.seen.now, newer.seen.installs]).toEqual([null, 0])
  })

  it('does not try twice, and says so', async () => {
    const { done, seen } = start({ kept: { offer, tried: true } })
    expect(await done()).toEqual({ restarting: false, failure: triedMessage })
    expect(await done()).toEqual({ restarting: false, failure: triedMessage })
    expect(seen).toMatchObject({ installs: 0, now: { tried: true } })
  })

  it('goes on when the download is gone or damaged, and when the attempt cannot be stored', async () => {
    const gone = start({
      engine: {
        download: (_release, _feed, fetch) =>
          fetch({ url: new URL('https://updates.example/a'), destination: '/nowhere', sha512: '', size: null }),
      },
    })
    expect(await gone.done()).toEqual({
      restarting: false,
      failure: '1.2.0 was not installed: what was downloaded is gone or damaged.',
    })
    expect([gone.seen.now, gone.seen.installs]).toEqual([null, 0])
    const full = start({ full: true })
    expect(await full.done()).toEqual({
      restarting: false,
      failure: '1.2.0 was not installed. The update cannot be written to the disk: the attempt cannot be recorded.',
    })
    expect(full.seen.installs).toBe(0)
  })

  it('goes on where the installer fails or never begins, and does not retry at the next start', async () => {
    const failing = start({
      engine: { install: () => Promise.reject(new FaultError('update', 'the password was not given')) },
    })
    expect(await failing.done()).toMatchObject({
      restarting: false,
      failure: '1.2.0 was not installed: the password was not given.',
    })
    expect(await failing.done()).toEqual({ restarting: false, failure: triedMessage })
    const hanging = start({
      engine: {
        install: (late) => new Promise((_resolve, reject) => late.addEventListener('abort', () => reject(late.reason))),
      },
    })
    const done = hanging.done()
    await settle()
    await hanging.clock.advance(3 * 60_000)
    expect(await done).toMatchObject({
      restarting: false,
      failure: '1.2.0 was not installed: the installer did not begin in time.',
    })
    expect(hanging.seen).toMatchObject({ installs: 1, now: { tried: true } })
    expect(hanging.clock.pending()).toBe(0)
  })

  it('leaves the update for the next start where another instance waits', async () => {
    const quiet = start({ postpone: true })
    expect(await quiet.done()).toEqual({ restarting: false, failure: '' })
    expect(quiet.seen).toMatchObject({ installs: 0, now: { offer, tried: false } })
    expect(await start({ postpone: true, kept: { offer, tried: true } }).done()).toEqual({
      restarting: false,
      failure: triedMessage,
    })
    const newer = start({ postpone: true, engine: { accepts: async () => false } })
    await newer.done()
    expect(newer.seen.now).toBeNull()
  })

  it('drops an update of another feed, channel or trust than the current one', async () => {
    for (const other of [
      { url: 'https://it.example/muster/' },
      { url: '' },
      { channel: 'beta' },
      { ca: 'another' },
    ] as Partial<Feed>[]) {
      const { done, seen } = start({ feed: { ...offer.feed, ...other } })
      expect(await done()).toEqual({ restarting: false, failure: '' })
      expect([seen.now, seen.installs]).toEqual([null, 0])
      expect(seen.log).toEqual(['updates: 1.2.0 is dropped: it is from another feed or channel than the present one'])
    }
  })
})
