import { describe, expect, it } from 'vitest'
import type { Update, UpdateState } from '../../../src-shared/model/updates.ts'
import { reduce, type Effect, type Input } from '../../../src-main/updates/state-machine.ts'

const update: Update = { version: '1.2.0', notes: '', releasedAt: null, size: 10 }
const newer: Update = { ...update, version: '1.3.0' }
const idle: UpdateState = { is: 'idle', checkedAt: null }
const answered = (found: Update | null, more: { same?: boolean; self?: boolean } = {}): Input => ({
  is: 'checked',
  update: found,
  same: false,
  self: false,
  at: 5,
  ...more,
})
const settings = (more: Partial<Extract<Input, { is: 'settings' }>> = {}): Input => ({
  is: 'settings',
  off: null,
  moved: false,
  self: false,
  ...more,
})

/** The final state and all actions on the path to it. */
function after(from: UpdateState, ...inputs: Input[]): [UpdateState, Effect[]] {
  const effects: Effect[] = []
  const end = inputs.reduce((now, input) => {
    const { next, effects: more } = reduce(now, input)
    effects.push(...more)
    return next
  }, from)
  return [end, effects]
}

const ready: UpdateState = { is: 'ready', update }

describe('the machine of updates', () => {
  it('checks, shows, downloads on request, and stores the update for the next start', () => {
    expect(after(idle, { is: 'due' })).toEqual([{ is: 'checking', update: null, pending: 'none' }, ['check']])
    expect(after(idle, { is: 'requested' }, answered(null))).toEqual([{ is: 'idle', checkedAt: 5 }, ['check']])
    expect(after(idle, { is: 'due' }, answered(update))).toEqual([{ is: 'available', update }, ['check']])
    expect(after({ is: 'available', update }, { is: 'consented' }, { is: 'progress', bytes: 4 })).toEqual([
      { is: 'downloading', update, transferred: 4 },
      ['download'],
    ])
    expect(after({ is: 'downloading', update, transferred: 10 }, { is: 'downloaded' })).toEqual([
      ready,
      ['store-pending'],
    ])
  })

  it('downloads by itself where the operator has set that, also an update found before', () => {
    expect(after(idle, { is: 'due' }, answered(update, { self: true }))).toEqual([
      { is: 'downloading', update, transferred: 0 },
      ['check', 'download'],
    ])
    expect(after({ is: 'available', update }, settings({ self: true }))).toEqual([
      { is: 'downloading', update, transferred: 0 },
      ['download'],
    ])
  })

  it('restarts only when the user asks for it and an update is ready', () => {
    for (const now of [
      idle,
      { is: 'available', update },
      { is: 'downloading', update, transferred: 0 },
    ] as UpdateState[])
      expect(after(now, { is: 'apply' })).toEqual([now, []])
    expect(after(ready, { is: 'apply' })).toEqual([ready, ['restart']])
    expect(after(ready, { is: 'due' }, { is: 'apply' })[1]).toEqual(['check', 'restart'])
  })

  it('stays ready when the feed is unchanged or silent, and drops a withdrawn update', () => {
    expect(after(ready, { is: 'due' }, answered(update, { same: true, self: true }))).toEqual([ready, ['check']])
    const failed = after(ready, { is: 'due' }, { is: 'failed', words: 'No.', at: 7 })[0]
    expect(failed).toEqual({ is: 'failed', what: 'check', words: 'No.', at: 7, update, pending: 'ready' })
    expect(after(failed, { is: 'apply' })[1]).toEqual(['restart'])
    expect(after(failed, { is: 'consented' })).toEqual([failed, []])
    expect(after(ready, { is: 'due' }, answered(null))).toEqual([
      { is: 'idle', checkedAt: 5 },
      ['check', 'remove-pending'],
    ])
    expect(after(ready, { is: 'due' }, answered(newer))).toEqual([
      { is: 'available', update: newer },
      ['check', 'remove-pending'],
    ])
    expect(after(ready, { is: 'due' }, answered(newer, { self: true }))[1]).toEqual([
      'check',
      'remove-pending',
      'download',
    ])
  })

  it('reports a failed install again, and does not download the same update once more', () => {
    const tried: UpdateState = { is: 'failed', what: 'install', words: 'No.', at: 1, update, pending: 'failed' }
    const [now, effects] = after(tried, { is: 'due' }, answered(update, { same: true, self: true }))
    expect(now).toMatchObject({ is: 'failed', what: 'install', update, pending: 'failed' })
    expect(effects).toEqual(['check'])
    expect(after(tried, { is: 'apply' })[1]).toEqual(['restart'])
  })

  it('retries a failed download on request, and ignores requests while one is running', () => {
    const [failed] = after({ is: 'downloading', update, transferred: 3 }, { is: 'failed', words: 'Cut.', at: 9 })
    expect(failed).toEqual({ is: 'failed', what: 'download', words: 'Cut.', at: 9, update, pending: 'none' })
    expect(after(failed, { is: 'consented' })[1]).toEqual(['download'])
    const asking: UpdateState = { is: 'checking', update: null, pending: 'none' }
    expect(after(asking, { is: 'due' }, { is: 'requested' }, { is: 'consented' })).toEqual([asking, []])
    for (const now of [
      { is: 'available', update },
      { is: 'checking', update, pending: 'none' },
      failed,
    ] as UpdateState[])
      expect(after(now, { is: 'downloaded' }, { is: 'progress', bytes: 1 })).toEqual([now, []])
    expect(
      after(
        idle,
        answered(update),
        { is: 'downloaded' },
        { is: 'failed', words: '', at: 1 },
        { is: 'progress', bytes: 1 },
      ),
    ).toEqual([idle, []])
  })

  it('drops everything with its feed, also a ready update', () => {
    const off = { reason: 'no-feed', detail: '' } as const
    expect(after(ready, settings({ off, moved: true }))).toEqual([{ is: 'off', ...off }, ['remove-pending']])
    expect(after({ is: 'downloading', update, transferred: 0 }, settings({ off, moved: true }))).toEqual([
      { is: 'off', ...off },
      ['cancel'],
    ])
    expect(after({ is: 'checking', update, pending: 'ready' }, settings({ moved: true }))).toEqual([
      idle,
      ['cancel', 'remove-pending'],
    ])
    expect(after({ is: 'available', update }, settings({ moved: true, self: true }))).toEqual([idle, []])
    expect(after({ is: 'off', ...off }, settings())).toEqual([idle, []])
    expect(
      after({ is: 'off', ...off }, { is: 'due' }, { is: 'requested' }, { is: 'consented' }, { is: 'apply' }),
    ).toEqual([{ is: 'off', ...off }, []])
    expect(after(ready, settings({ self: true }))).toEqual([ready, []])
  })
})
