import { describe, expect, test } from 'vitest'
import { emptyJob } from './empty-job.ts'
import { step, type JobEvent } from '../../../../src-main/actions/engine/step.ts'
import type { RunningJob } from '../../../../src-main/actions/engine/job.ts'

const plan = { batch: 1, waitMinutes: 5, stopAfter: null, at: null, includeInCall: false }
const free = { connected: true, call: 'free', checkIn: 1 } as const

const stepOf = (job: RunningJob, event: JobEvent, now = event.at) => step(job, [event], now)

function after(job: RunningJob, ...events: JobEvent[]) {
  let now = 1_000
  return events.reduce(
    (before, event) => {
      now = Math.max(now, event.at)
      return stepOf(before.job, event, now)
    },
    stepOf(job, { kind: 'begin', at: now }),
  )
}
const presentState = (position: number, at: number): JobEvent => ({
  kind: 'looked',
  at,
  positions: [position],
  looked: new Map([[position, free]]),
})
const confirmed = (position: number, at: number): JobEvent => ({
  kind: 'answered',
  at,
  answers: new Map([[position, { outcome: 'confirmed', id: null }]]),
})
const seen = (position: number, at: number, connected: boolean): JobEvent => ({
  kind: 'transition',
  at,
  notBefore: null,
  key: `service/tenant/${position}`,
  connected,
})
const readAs = (connected: boolean | null, at: number): JobEvent => ({
  kind: 'read',
  at,
  read: new Map([[0, connected === null ? null : { id: '0', connected }]]),
})

test('the step that asks to send a device says that it was sent', () => {
  const { job, effects } = after(emptyJob(2, plan), presentState(0, 1_100))
  expect(effects).toEqual([{ kind: 'send', positions: [0], withdrawAfter: 60_000 }])
  expect(job.targets.map(({ outcome, sentAt }) => [outcome, sentAt])).toEqual([
    ['sent', 1_100],
    ['pending', null],
  ])
})

test('the next batch begins only when the devices of the one before are back', () => {
  const sent = after(emptyJob(2, plan), presentState(0, 1_100), confirmed(0, 1_200), seen(0, 2_000, false))
  expect(sent.effects).toEqual([{ kind: 'wake', at: 301_200 }])
  const back = stepOf(sent.job, seen(0, 32_000, true))
  expect(back.job.targets[0]).toMatchObject({ outcome: 'done', provenBy: 'disconnect', backAfter: 30_900 })
  expect(back.effects).toEqual([{ kind: 'look', positions: [1] }])
})

test('a confirmed reboot without a drop is unknown; a drop before the sending proves nothing', () => {
  const sent = after(
    emptyJob(1, plan),
    presentState(0, 1_100),
    confirmed(0, 1_200),
    seen(0, 1_050, false),
    seen(0, 2_000, true),
  )
  const late = stepOf(sent.job, { kind: 'tick', at: 301_200 })
  expect(late.effects).toEqual([{ kind: 'prove', positions: [0] }])
  const read = stepOf(late.job, { kind: 'read', at: 301_300, read: new Map([[0, null]]) })
  expect(read.job.targets[0]?.outcome).toBe('unknown')
  expect(read.job.record.state).toBe('done')
})

test('a job stops by itself after the given number of devices that did not come back', () => {
  const job = emptyJob(2, { ...plan, stopAfter: 1 })
  const sent = after(job, presentState(0, 1_100), confirmed(0, 1_200), seen(0, 2_000, false))
  const late = stepOf(sent.job, { kind: 'tick', at: 301_200 })
  expect([late.job.record.state, late.effects]).toEqual(['running', [{ kind: 'prove', positions: [0] }]])
  const { job: stopped, effects } = stepOf(late.job, readAs(false, 301_300))
  expect([stopped.record.state, effects]).toEqual(['stopped', []])
  expect(stopped.targets.map(({ outcome }) => outcome)).toEqual(['not-back', 'not-sent'])
})

test('after a crash what was sent without an answer is unknown, and is never sent again', () => {
  const { job } = after(emptyJob(2, plan), presentState(0, 1_100), { kind: 'restore', at: 9_000 })
  expect([job.record.state, job.targets[0]?.outcome]).toEqual(['interrupted', 'unknown'])
  expect(stepOf(job, { kind: 'continue', at: 9_100 }).effects).toEqual([
    { kind: 'look', positions: [1] },
    { kind: 'wake', at: 301_100 },
  ])
  expect(stepOf(job, { kind: 'tick', at: 301_100 }).effects).toEqual([{ kind: 'prove', positions: [0] }])
})

test('what certainly was not sent waits again, and the job pauses with the reason', () => {
  const fault = { kind: 'connect', detail: 'refused' } as const
  const unsent: JobEvent = { kind: 'answered', at: 1_200, answers: new Map([[0, { outcome: 'not-sent', fault }]]) }
  const { job, effects } = after(emptyJob(1, plan), presentState(0, 1_100), unsent)
  expect(effects).toEqual([])
  expect([job.record.state, job.record.fault]).toEqual(['paused', fault])
  expect(job.targets[0]).toMatchObject({ outcome: 'pending', sentAt: null })
})

test('where the service only asks to wait, what was not sent is looked at again', () => {
  const answers = new Map([[0, { outcome: 'not-sent', fault: { kind: 'exhausted', detail: '' } }] as const])
  const { job, effects } = after(emptyJob(1, plan), presentState(0, 1_100), { kind: 'answered', at: 1_200, answers })
  expect([job.record.state, effects]).toEqual(['running', [{ kind: 'look', positions: [0] }]])
})

test('a late look at another batch changes nothing', () => {
  const late: JobEvent = { kind: 'looked', at: 1_100, positions: [1], looked: new Map() }
  const { job } = after(emptyJob(2, plan), late)
  expect(job.targets.map(({ outcome }) => outcome)).toEqual(['pending', 'pending'])
})

test('a job without batches looks at a hundred devices at a time, and waits for none', () => {
  const begun = stepOf(emptyJob(150, { ...plan, batch: null }), { kind: 'begin', at: 1_000 })
  const [looking] = begun.effects
  expect(looking?.kind === 'look' ? looking.positions.length : 0).toBe(100)
})

test('a sending is stamped with the present time where an older transition lets the job go on', () => {
  const sent = after(emptyJob(2, plan), presentState(0, 1_100), confirmed(0, 1_200), seen(0, 2_000, false))
  const looking = stepOf(sent.job, seen(0, 32_000, true), 90_000)
  const { job } = stepOf(looking.job, presentState(1, 90_100))
  expect([job.targets[0]?.backAfter, job.targets[1]?.sentAt]).toEqual([30_900, 90_100])
})

test('a device in a call, offline or gone is not sent', () => {
  const all = emptyJob(3, { ...plan, batch: null })
  const { job, effects } = after(all, {
    kind: 'looked',
    at: 1_100,
    positions: [0, 1, 2],
    looked: new Map([
      [0, { ...free, call: 'in-call' }],
      [1, { ...free, connected: false }],
    ]),
  })
  expect(effects).toEqual([])
  expect(job.targets.map(({ obstacle }) => obstacle)).toEqual(['in-call', 'offline', 'gone'])
  expect(job.record.state).toBe('done')
})

describe('a drop whose return nobody saw', () => {
  const dropped = (more: Partial<typeof plan> = {}) =>
    after(emptyJob(2, { ...plan, ...more }), presentState(0, 1_100), confirmed(0, 1_200), seen(0, 2_000, false))

  test.each([
    ['connected', true, 'done', null],
    ['disconnected', false, 'not-back', null],
    ['not readable', null, 'unknown', null],
  ] as const)('is asked for when its time is over: %s', (_, connected, outcome, backAfter) => {
    const late = stepOf(dropped().job, { kind: 'tick', at: 301_200 })
    expect(late.job.targets[0]?.outcome).toBe('sent')
    expect(late.effects).toContainEqual({ kind: 'prove', positions: [0] })
    const { job } = stepOf(late.job, readAs(connected, 301_300))
    expect(job.targets[0]).toMatchObject({ outcome, backAfter })
  })

  test('is no question where the return is found together with the restart', () => {
    const restart: JobEvent[] = [{ kind: 'restore', at: 900_000 }, seen(0, 40_000, true)]
    const { job, effects } = step(dropped().job, restart, 900_000)
    expect([job.targets[0]?.outcome, effects]).toEqual(['done', []])
  })
})

describe('a clock that is set back', () => {
  test('begins the wait of what was sent anew, once, and its drop and return are seen', () => {
    const sent = after(emptyJob(1, plan), presentState(0, 7_200_000), confirmed(0, 7_200_100))
    const back = stepOf(sent.job, { kind: 'tick', at: 1_000_000 })
    expect(back.job.targets[0]).toMatchObject({ sentAt: 1_000_000, answeredAt: 1_000_000 })
    expect(back.effects).toEqual([{ kind: 'wake', at: 1_300_000 }])
    const dropped = stepOf(back.job, seen(0, 1_001_000, false))
    expect(stepOf(dropped.job, seen(0, 1_040_000, true)).job.targets[0]).toMatchObject({ outcome: 'done' })
  })

  test('does not hide the return of a device that was seen to drop before', () => {
    const sent = after(
      emptyJob(1, plan),
      presentState(0, 7_200_000),
      confirmed(0, 7_200_100),
      seen(0, 7_201_000, false),
    )
    const { job } = stepOf(sent.job, seen(0, 1_040_000, true))
    expect(job.targets[0]).toMatchObject({ outcome: 'done', provenBy: 'disconnect' })
  })
})

test('a batch of 250 is looked at in parts of a hundred, each just before it is sent', () => {
  let next = after(emptyJob(250, { ...plan, batch: 250 }))
  const looks: number[] = []
  for (let at = 2_000; next.job.phase.kind !== 'awaiting'; at += 10) {
    const events = next.effects.flatMap((effect): JobEvent[] => {
      if (effect.kind === 'look') {
        looks.push(effect.positions.length)
        const looked = new Map(effect.positions.map((position) => [position, free]))
        return [{ kind: 'looked', at, positions: effect.positions, looked }]
      }
      return effect.kind === 'send' ? effect.positions.map((position) => confirmed(position, at)) : []
    })
    next = step(next.job, events, at)
  }
  expect(looks).toEqual([100, 100, 50])
  expect(next.job.targets.every(({ answeredAt }) => answeredAt !== null)).toBe(true)
})

test('what was withdrawn by a pause waits again and does not pause the job that goes on', () => {
  const withdrawn: JobEvent = {
    kind: 'answered',
    at: 1_300,
    answers: new Map([[0, { outcome: 'not-sent', fault: { kind: 'abort', detail: '' } }]]),
  }
  const paused = after(emptyJob(1, plan), presentState(0, 1_100), { kind: 'pause', at: 1_200 })
  const { job, effects } = step(paused.job, [{ kind: 'continue', at: 1_250 }, withdrawn], 1_300)
  expect([job.record.state, job.targets[0]?.outcome]).toEqual(['running', 'pending'])
  expect(effects).toContainEqual({ kind: 'look', positions: [0] })
  const stopped = step(paused.job, [{ kind: 'stop', at: 1_250 }, withdrawn], 1_300)
  expect(stopped.job.targets[0]).toMatchObject({ outcome: 'not-sent', words: null })
})

test('the first operation goes alone, and four reboots go together once it has its answer', () => {
  const looking = after(emptyJob(9, { ...plan, batch: null }))
  const looked = new Map(Array.from({ length: 9 }, (_, position) => [position, free] as const))
  const first = stepOf(looking.job, { kind: 'looked', at: 1_100, positions: [...looked.keys()], looked })
  expect(first.effects).toEqual([{ kind: 'send', positions: [0], withdrawAfter: 60_000 }])
  const { effects } = stepOf(first.job, confirmed(0, 1_200))
  expect(effects.flatMap((effect) => (effect.kind === 'send' ? effect.positions : []))).toEqual([1, 2, 3, 4])
})

test('a drop that comes after the time of the reboot proves nothing', () => {
  const sent = after(emptyJob(1, plan), presentState(0, 1_100), confirmed(0, 1_200))
  const asked = stepOf(sent.job, { kind: 'tick', at: 301_200 })
  const unknown = stepOf(asked.job, readAs(null, 301_300))
  const dropped = stepOf(unknown.job, seen(0, 86_400_000, false))
  const { job } = stepOf(dropped.job, seen(0, 86_460_000, true))
  expect(job.targets[0]).toMatchObject({ outcome: 'unknown', droppedAt: null })
})

test('a job stops within a batch once too many devices are lost', () => {
  let next = after(emptyJob(300, { ...plan, batch: 300, stopAfter: 3 }))
  let sent = 0
  for (let at = 2_000; next.job.record.state === 'running'; at += 301_000) {
    const events = next.effects.flatMap((effect): JobEvent[] => {
      if (effect.kind === 'look') {
        const looked = new Map(effect.positions.map((position) => [position, free]))
        return [{ kind: 'looked', at, positions: effect.positions, looked }]
      }
      if (effect.kind === 'send') {
        sent += effect.positions.length
        return effect.positions.map((position) => confirmed(position, at))
      }
      return effect.kind === 'prove'
        ? [{ kind: 'read', at, read: new Map(effect.positions.map((position) => [position, null])) }]
        : []
    })
    next = step(next.job, events, at)
  }
  expect(next.job.record.state).toBe('stopped')
  expect(sent).toBeLessThan(20)
})

test('pauses before any answer let no second operation go beside the first', () => {
  let next = after(emptyJob(9, { ...plan, batch: null }))
  const looked = new Map(Array.from({ length: 9 }, (_, position) => [position, free] as const))
  let sent = 0
  for (let round = 0; round < 5; round += 1) {
    const at = 2_000 + round
    const positions = next.effects.flatMap((effect) => (effect.kind === 'look' ? effect.positions : []))
    next = step(next.job, [{ kind: 'looked', at, positions, looked }], at)
    sent += next.effects.filter(({ kind }) => kind === 'send').length
    next = step(next.job, [{ kind: 'pause', at }], at)
    next = step(next.job, [{ kind: 'continue', at }], at)
  }
  expect(sent).toBe(1)
})

test('after a minute the rest of a part is looked at again before it is sent', () => {
  const looking = after(emptyJob(3, { ...plan, batch: null }))
  const looked = new Map([0, 1, 2].map((position) => [position, free] as const))
  const first = stepOf(looking.job, { kind: 'looked', at: 1_100, positions: [0, 1, 2], looked })
  const { effects } = stepOf(first.job, confirmed(0, 90_000))
  expect(effects).toContainEqual({ kind: 'look', positions: [1, 2] })
  expect(effects.some(({ kind }) => kind === 'send')).toBe(false)
})

test('after a crash a device whose proof is still to come does not stop the job', () => {
  const job = emptyJob(2, { ...plan, stopAfter: 1 })
  const { job: crashed } = after(job, presentState(0, 1_100), { kind: 'restore', at: 9_000 })
  expect(stepOf(crashed, { kind: 'continue', at: 9_100 }).job.record.state).toBe('running')
})
