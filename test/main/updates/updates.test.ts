import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { startUpdates } from '../../../src-main/updates/updates.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { copyOf, offerOf, type CopyOptions } from './copies.ts'

const minute = 60_000
const hour = 60 * minute

describe('a check of the feed', () => {
  it('runs after a quiet time, then every six hours', async () => {
    const { clock, seen, under } = copyOf()
    await clock.advance(5 * minute - 1)
    expect(seen.begun).toEqual([])
    await clock.advance(1)
    expect(seen.begun).toEqual(['check'])
    under()?.resolve(null)
    await clock.advance(6 * hour - 1)
    expect(seen.begun).toEqual(['check'])
    await clock.advance(1)
    expect(seen.begun).toEqual(['check', 'check'])
  })

  it('is spread by a quarter', async () => {
    const early = copyOf({ random: () => 0 })
    await early.clock.advance(3.75 * minute)
    expect(early.seen.begun).toEqual(['check'])
    const late = copyOf({ random: () => 0.999 })
    await late.clock.advance(6 * minute)
    expect(late.seen.begun).toEqual([])
  })

  it('is ever later after failures, and as usual after an answer', async () => {
    const { clock, seen, under, log, updates } = copyOf()
    await clock.advance(5 * minute)
    const postpone: number[] = []
    for (const wait of [15, 30, 60, 120, 240, 360, 360]) {
      under()?.reject(new FaultError('name', 'updates.example'))
      await settle()
      expect(updates.state().now).toMatchObject({
        is: 'failed',
        what: 'check',
        words: 'The feed’s host name could not be found: updates.example.',
      })
      const before = seen.begun.length
      await clock.advance(wait * minute - 1)
      expect(seen.begun).toHaveLength(before)
      await clock.advance(1)
      expect(seen.begun).toHaveLength(before + 1)
      postpone.push(wait)
    }
    under()?.resolve(null)
    await settle()
    expect(updates.state().now).toEqual({ is: 'idle', checkedAt: clock.now() })
    expect(log.filter((line) => line.includes('host name'))).toHaveLength(postpone.length)
    await clock.advance(6 * hour)
    under()?.reject(new FaultError('reset'))
    await settle()
    const before = seen.begun.length
    await clock.advance(15 * minute)
    expect(seen.begun).toHaveLength(before + 1)
  })

  it('runs at once when the user asks, and once for any number of requests', async () => {
    const { updates, seen, under, clock } = copyOf()
    updates.check()
    updates.check()
    await settle()
    expect(seen.begun).toEqual(['check'])
    await clock.advance(hour)
    expect(seen.begun).toEqual(['check'])
    under()?.resolve(offerOf('1.2.0'))
    await settle()
    updates.check()
    await settle()
    expect(seen.begun).toEqual(['check', 'check'])
  })

  it('never runs where updates are off, and a request is answered with that', async () => {
    const { updates, clock, seen, change, is } = copyOf({ settings: { updateFeed: '' } })
    expect(updates.state().now).toEqual({ is: 'off', reason: 'no-feed', detail: '' })
    expect(() => updates.check()).toThrow(FaultError)
    await clock.advance(24 * hour)
    expect(seen.begun).toEqual([])
    change({ updateFeed: 'https://updates.example/' })
    expect(is()).toBe('idle')
    await clock.advance(5 * minute)
    expect(seen.begun).toEqual(['check'])
  })

  it('never runs in a copy that may not update', async () => {
    const clock = manualClock()
    const settings = {
      get: () => ({ ...defaultSettings(false), updateFeed: 'https://updates.example/' }),
      onChange: () => () => {},
    }
    const updates = startUpdates({
      environment: { copy: null, off: { reason: 'policy', detail: '' } },
      settings,
      clock,
      random: () => 0.5,
      log: () => {},
      onState: () => {},
    })
    expect(updates.state().now).toEqual({ is: 'off', reason: 'policy', detail: '' })
    expect(clock.pending()).toBe(0)
    expect(() => updates.check()).toThrow('there are no updates here')
    await updates.stop()
  })
})

describe('decisions of the user or the settings', () => {
  /** Found, and nothing more. */
  async function found(options: CopyOptions = {}) {
    const copy = copyOf(options)
    copy.updates.check()
    await settle()
    copy.under()?.resolve(offerOf('1.2.0'))
    await settle()
    return copy
  }

  it('nothing is downloaded before it is requested', async () => {
    const { updates, clock, seen, under, is, progress } = await found()
    await clock.advance(5 * hour)
    expect(seen.begun).toEqual(['check'])
    expect(() => updates.apply()).toThrow('there is no downloaded update')
    updates.download()
    updates.download()
    await settle()
    expect(seen.begun).toEqual(['check', 'download'])
    progress.tell(4)
    expect(updates.state().now).toMatchObject({ is: 'downloading', transferred: 4 })
    under()?.resolve(undefined)
    await settle()
    expect(is()).toBe('ready')
    expect(seen.now).toEqual({ offer: offerOf('1.2.0'), tried: false })
    expect(seen.restarts).toBe(0)
    updates.apply()
    expect(seen.restarts).toBe(1)
    expect(() => updates.download()).toThrow('there is nothing to download')
  })

  it('the setting downloads by itself; a policy that requires a question does not', async () => {
    expect((await found({ settings: { updateSelf: true } })).seen.begun).toEqual(['check', 'download'])
    const asked = await found({ settings: { updateSelf: true }, policy: { updates: 'ask' } })
    expect(asked.seen.begun).toEqual(['check'])
    expect(asked.updates.state().by).toMatchObject({ self: false, fixed: ['self'] })
  })

  it("the policy's feed and channel override the operator's", () => {
    const { updates } = copyOf({
      policy: { feed: 'https://it.example/muster', channel: 'beta' },
      settings: { updateFeed: '' },
    })
    expect(updates.state()).toMatchObject({
      now: { is: 'idle' },
      by: { feed: 'https://it.example/muster', channel: 'beta', fixed: ['feed', 'channel'] },
    })
  })

  it("the package's own feed is used where no other is set", () => {
    const copy = copyOf({ feed: 'https://maker.example/', settings: { updateFeed: '' } })
    expect(copy.updates.state()).toMatchObject({
      now: { is: 'idle' },
      by: { feed: 'https://maker.example/', fixed: [] },
    })
    copy.change({ updateFeed: 'https://it.example/' })
    expect(copy.updates.state().by.feed).toBe('https://it.example/')
  })

  it('another feed cancels the current operation, and its answer is ignored', async () => {
    const { updates, change, under, is, seen } = copyOf()
    updates.check()
    await settle()
    const former = under()
    change({ updateFeed: 'https://other.example/' })
    expect(former?.signal.aborted).toBe(true)
    await settle()
    expect(is()).toBe('idle')
    updates.check()
    await settle()
    expect(seen.most).toBe(1)
    expect(is()).toBe('checking')
    change({ theme: 'dark' })
    expect(is()).toBe('checking')
  })

  it('a cancelled operation that goes on all the same is waited for, and ignored', async () => {
    const { updates, change, under, is, seen } = copyOf({ stubborn: true })
    updates.check()
    await settle()
    change({ updateFeed: 'https://other.example/' })
    updates.check()
    await settle()
    expect(seen.begun).toEqual(['check'])
    under()?.resolve(offerOf('1.2.0'))
    await settle()
    expect([is(), seen.begun]).toEqual(['checking', ['check', 'check']])
    under()?.resolve(null)
    await settle()
    expect(is()).toBe('idle')
  })

  it('a stop cancels the current operation, and starts nothing', async () => {
    const { updates, under, seen, clock } = await found()
    updates.download()
    await settle()
    const download = under()
    await updates.stop()
    expect(download?.signal.aborted).toBe(true)
    await clock.advance(48 * hour)
    expect(seen.restarts).toBe(0)
    expect(seen.now).toBeNull()
    expect(seen.begun).toEqual(['check', 'download'])
  })
})

describe('at a start', () => {
  const kept = { offer: offerOf('1.2.0'), tried: true }

  it('a failed install is reported, and retried once when the user asks', async () => {
    const { updates, seen, under } = copyOf({ kept, failure: 'No.' })
    expect(updates.state().now).toMatchObject({
      is: 'failed',
      what: 'install',
      words: 'No.',
      pending: 'failed',
      update: { version: '1.2.0' },
    })
    updates.check()
    await settle()
    under()?.resolve(offerOf('1.2.0'))
    await settle()
    expect(updates.state().now).toMatchObject({ is: 'failed', what: 'install', pending: 'failed' })
    expect(seen.now).toEqual(kept)
    updates.apply()
    expect(seen.now).toEqual({ ...kept, tried: false })
    expect(seen.restarts).toBe(1)
  })

  it('a pending update is dropped where there is no feed any more, or another one', () => {
    expect(copyOf({ kept, settings: { updateFeed: '' } }).seen.now).toBeNull()
    for (const policy of [{ feed: 'https://it.example/muster/' }, { channel: 'beta' as const }]) {
      const { updates, seen } = copyOf({ kept: { ...kept, tried: false }, policy })
      expect([updates.state().now, seen.now]).toEqual([{ is: 'idle', checkedAt: null }, null])
    }
  })

  it('an update that this start left to another instance is ready, and installed on request', () => {
    const { updates, seen } = copyOf({ kept: { ...kept, tried: false } })
    expect(updates.state().now).toEqual({ is: 'ready', update: kept.offer.update })
    expect(seen.now).toEqual({ ...kept, tried: false })
    updates.apply()
    expect(seen).toMatchObject({ restarts: 1, now: { tried: false } })
  })

  it('a lost update is reported', () => {
    expect(copyOf({ failure: '1.2.0 was not installed.' }).updates.state().now).toMatchObject({
      is: 'failed',
      what: 'install',
      words: '1.2.0 was not installed.',
      update: null,
      pending: 'none',
    })
  })
})

type Act =
  | { act: 'check' | 'download' | 'apply' | 'self' | 'not self' | 'no feed' | 'feed' | 'nothing newer' | 'breaks' }
  | { act: 'time'; ms: number }
  | { act: 'offers' | 'comes'; version: string }
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc
    .constantFrom('check', 'download', 'apply', 'self', 'not self', 'no feed', 'feed', 'nothing newer', 'breaks')
    .map((act) => ({ act }) as Act),
  fc.integer({ min: 1, max: 8 * hour }).map((ms): Act => ({ act: 'time', ms })),
  fc.constantFrom('1.2.0', '1.3.0').map((version): Act => ({ act: 'offers', version })),
  fc.constant<Act>({ act: 'comes', version: '' }),
)

/** Does it to the copy; answers what a person has said by it. */
function play(copy: ReturnType<typeof copyOf>, done: Act): 'download' | 'apply' | null {
  const { updates, change } = copy
  const under = copy.under()
  const tried = (act: 'download' | 'apply' | 'check') => {
    try {
      updates[act]()
      return act === 'check' ? null : act
    } catch (thrown) {
      if (!(thrown instanceof FaultError)) throw thrown
      return null
    }
  }
  if (done.act === 'check' || done.act === 'download' || done.act === 'apply') return tried(done.act)
  if (done.act === 'self' || done.act === 'not self') change({ updateSelf: done.act === 'self' })
  if (done.act === 'no feed' || done.act === 'feed')
    change({ updateFeed: done.act === 'feed' ? 'https://updates.example/muster/' : '' })
  if (under?.what === 'check' && done.act === 'offers') under.resolve(offerOf(done.version))
  if (under?.what === 'check' && done.act === 'nothing newer') under.resolve(null)
  if (under?.what === 'download' && done.act === 'comes') under.resolve(undefined)
  if (done.act === 'breaks') under?.reject(new FaultError('reset', 'updates.example'))
  return null
}

describe('any order of events', () => {
  it('one operation runs at a time, and no download or restart happens unasked', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 60, size: 'max' }), async (story) => {
        const copy = copyOf()
        let [words, applied, fetched, self] = [0, 0, 0, false]
        for (const done of story) {
          const before = copy.seen.begun.filter((what) => what === 'download').length
          fetched += copy.under()?.what === 'download' && done.act === 'comes' ? 1 : 0
          if (done.act === 'self' || done.act === 'not self') self = done.act === 'self'
          const word = play(copy, done)
          if (done.act === 'time') await copy.clock.advance(done.ms)
          await settle()
          words += word === 'download' ? 1 : 0
          applied += word === 'apply' ? 1 : 0
          const begun = copy.seen.begun.filter((what) => what === 'download').length - before
          if (begun > 0) expect(self || word === 'download').toBe(true)
          expect(copy.seen.most).toBeLessThanOrEqual(1)
          expect(copy.seen.restarts).toBe(applied)
          const kept = copy.seen.writes.filter((each) => each !== null).length
          expect(kept).toBeLessThanOrEqual(fetched + applied)
          if (copy.is() === 'ready') expect(copy.seen.now).not.toBeNull()
          if (copy.is() === 'off') expect([copy.seen.now, copy.under()]).toEqual([null, undefined])
        }
        const asks = copy.seen.begun.length
        await copy.updates.stop()
        await copy.clock.advance(24 * hour)
        expect(copy.seen.begun).toHaveLength(asks)
        expect(copy.seen.restarts).toBe(applied)
      }),
      { numRuns: 300 },
    )
  })
})
