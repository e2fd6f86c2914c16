import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SentOutcome } from '../../../../src-main/api/mutations/mutations.ts'
import { emptyJob } from './empty-job.ts'
import type { Effect, RunningJob } from '../../../../src-main/actions/engine/job.ts'
import { step, type JobEvent, type Looked } from '../../../../src-main/actions/engine/step.ts'

/** What the simulated service does with one reboot. */
type Fate =
  | 'reboots'
  | 'lost'
  | 'refuses'
  | 'ignores'
  | 'no-answer'
  | 'no-answer-ignored'
  | 'not-sent'
  | 'offline'
  | 'in-call'
const fates: Fate[] = [
  'reboots',
  'lost',
  'refuses',
  'ignores',
  'no-answer',
  'no-answer-ignored',
  'not-sent',
  'offline',
  'in-call',
]

interface World {
  fates: readonly Fate[]
  now: number
  /** How often the order to reboot arrived at each device. */
  arrived: number[]
  /** How often it certainly did not leave. */
  unsent: number[]
  /** Whether a device really rebooted, and whether it came back. */
  rebooted: boolean[]
  back: boolean[]
}

const answerOf = (fate: Fate): SentOutcome => {
  if (fate === 'refuses') return { outcome: 'refused', words: 'busy', fault: null }
  if (fate === 'no-answer' || fate === 'no-answer-ignored') return { outcome: 'unknown', words: 'no answer' }
  if (fate === 'not-sent') return { outcome: 'not-sent', fault: { kind: 'connect', detail: '' } }
  return { outcome: 'confirmed', id: null }
}

const rebootsIn = (fate: Fate) => fate === 'reboots' || fate === 'lost' || fate === 'no-answer'

/** Returns the events that follow from an effect; the service acts when its part of the work is done. */
function carryOut(world: World, { targets }: RunningJob, effect: Effect): JobEvent[] {
  const at = world.now
  if (effect.kind === 'wake') return [{ kind: 'tick', at: effect.at }]
  if (effect.kind === 'look')
    return [
      {
        kind: 'looked',
        at,
        positions: effect.positions,
        looked: new Map(effect.positions.map((each) => [each, presentState(world, each)])),
      },
    ]
  if (effect.kind === 'prove')
    return [
      {
        kind: 'read',
        at,
        read: new Map(
          effect.positions.map((each) => [
            each,
            {
              id: String(each),
              connected: world.back[each] ?? true,
              lastConfigRequestDate: world.rebooted[each] && world.back[each] ? at : 1,
            },
          ]),
        ),
      },
    ]
  return effect.positions.flatMap((position): JobEvent[] => {
    // Nothing leaves at the first try; the next one finds the way.
    const isFirst = (world.unsent[position] ?? 0) === 0
    const given = world.fates[position] ?? 'ignores'
    const fate = given === 'not-sent' && !isFirst ? 'reboots' : given
    if (fate === 'not-sent') world.unsent[position] = 1
    else world.arrived[position] = (world.arrived[position] ?? 0) + 1
    const key = targets[position]?.key ?? ''
    const events: JobEvent[] = [{ kind: 'answered', at: at + 10, answers: new Map([[position, answerOf(fate)]]) }]
    if (!rebootsIn(fate)) return events
    world.rebooted[position] = true
    world.back[position] = fate !== 'lost'
    events.push({ kind: 'transition', at: at + 1_000, notBefore: null, key, connected: false })
    if (fate !== 'lost') events.push({ kind: 'transition', at: at + 60_000, notBefore: null, key, connected: true })
    return events
  })
}

const presentState = ({ fates: all }: World, position: number): Looked => ({
  connected: all[position] !== 'offline',
  call: all[position] === 'in-call' ? 'in-call' : 'free',
  checkIn: 1,
})

/** Runs a job to its end, with a crash or a command at chosen steps. */
function play(
  all: readonly Fate[],
  batch: number | null,
  stopAfter: number | null,
  disturbances: readonly { step: number; kind: 'crash' | 'crash-unsent' | 'pause' | 'stop' | 'sleep' }[],
) {
  const world: World = { fates: all, now: 1_000_000, arrived: [], unsent: [], rebooted: [], back: [] }
  let job = emptyJob(all.length, { batch, stopAfter, waitMinutes: 5, at: null, includeInCall: false })
  let queue: JobEvent[] = [{ kind: 'begin', at: world.now }]
  for (let turn = 0; turn < 5_000; turn += 1) {
    const disturbed = disturbances.find((each) => each.step === turn)
    if (disturbed !== undefined && !disturbed.kind.startsWith('crash'))
      queue.push({ kind: disturbed.kind as 'pause' | 'stop' | 'sleep', at: world.now })
    queue.sort((one, other) => one.at - other.at)
    const event = queue.shift()
    if (event === undefined) {
      if (job.record.state !== 'paused' && job.record.state !== 'interrupted') return { job, world }
      queue = [{ kind: 'continue', at: world.now }]
      continue
    }
    world.now = Math.max(world.now, event.at)
    const next = step(job, [{ ...event, at: world.now }], world.now)
    // The step is on disk; a crash comes before or after its effects, and takes what is on its way, but not the devices' fate.
    job = next.job
    const events =
      disturbed?.kind === 'crash-unsent' ? [] : next.effects.flatMap((effect) => carryOut(world, job, effect))
    // The journal gives what the devices did meanwhile.
    queue = disturbed?.kind.startsWith('crash')
      ? [{ kind: 'restore', at: world.now }, ...[...queue, ...events].filter(({ kind }) => kind === 'transition')]
      : [...queue, ...events]
  }
  throw new Error('the job does not end')
}

const runs = Number(process.env['ACTIONS_RUNS'] ?? 1_000)

test('no reboot is sent twice and every outcome is true, with a crash or command at any step', () => {
  const disturbance = fc.record({
    step: fc.nat(60),
    kind: fc.constantFrom('crash', 'crash-unsent', 'pause', 'stop', 'sleep'),
  })
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 12 }),
      fc.option(fc.integer({ min: 1, max: 5 })),
      fc.option(fc.integer({ min: 1, max: 3 })),
      fc.array(disturbance, { maxLength: 4 }),
      (all, batch, stopAfter, disturbances) => {
        const { job, world } = play(all, batch, stopAfter, disturbances)
        expect(['done', 'stopped']).toContain(job.record.state)
        job.targets.forEach(({ outcome, provenAt }, position) => {
          const arrived = world.arrived[position] ?? 0
          expect(arrived).toBeLessThanOrEqual(1)
          expect(['pending', 'sent']).not.toContain(outcome)
          if (outcome === 'done')
            expect([world.rebooted[position], world.back[position], provenAt !== null]).toEqual([true, true, true])
          if (outcome === 'not-sent') expect(arrived).toBe(0)
          if (outcome === 'not-back') expect([world.rebooted[position], world.back[position]]).toEqual([true, false])
          if (outcome === 'refused') expect(all[position]).toBe('refuses')
        })
      },
    ),
    { numRuns: runs },
  )
})
