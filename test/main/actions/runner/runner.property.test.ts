import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { manualClock } from '../../../support/clock.ts'
import { fates, plan, sheetJob, simulatedWorld, type Disturbance, type Fate } from './simulated.ts'

/** Runs a job to its end: whenever it waits for the operator, the operator continues it. */
async function play(
  all: readonly Fate[],
  limits: { batch: number | null; stopAfter: number | null },
  disturbances: readonly Disturbance[],
) {
  const clock = manualClock()
  const world = simulatedWorld(clock, all, disturbances)
  await world.jobs().restore()
  const started = world.jobs().start(sheetJob(all.length), { ...plan, ...limits })
  started.catch(() => {})
  for (let turn = 0; turn < 40; turn += 1) {
    await clock.advance(2 * 60_000)
    const [stored] = world.disk.values()
    if (stored === undefined) return { stored: null, world }
    const { state } = stored.record
    if ((state === 'done' || state === 'stopped') && stored.targets.every(({ outcome }) => outcome !== 'sent'))
      return { stored, world }
    if (state === 'interrupted' || state === 'paused')
      void world
        .jobs()
        .control(stored.record.id, 'continue')
        .catch(() => {})
  }
  throw new Error(`the job does not end: ${JSON.stringify([...world.disk.values()])}`)
}

const runs = Number(process.env['ACTIONS_RUNS'] ?? 1_000)

test('the runner sends no reboot twice and every outcome is true, whatever fails at any step', async () => {
  const disturbance = fc.record({
    at: fc.integer({ min: 1, max: 60 }),
    kind: fc.constantFrom('crash', 'crash', 'disk', 'pause', 'stop', 'sleep', 'quit'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 8 }),
      fc.option(fc.integer({ min: 1, max: 4 })),
      fc.option(fc.integer({ min: 1, max: 3 })),
      fc.array(disturbance, { maxLength: 4 }),
      async (all, batch, stopAfter, disturbances) => {
        const { stored, world } = await play(all, { batch, stopAfter }, disturbances as Disturbance[])
        expect(world.unwritten()).toBe(0)
        for (const [position, { arrived, rebooted, isBack }] of world.devices.entries()) {
          const target = stored?.targets[position]
          expect(arrived).toBeLessThanOrEqual(1)
          if (target === undefined) expect(arrived).toBe(0)
          expect(['pending', 'sent']).not.toContain(target?.outcome)
          if (target?.outcome === 'done') expect([rebooted, isBack]).toEqual([true, true])
          if (target?.outcome === 'not-sent') expect(arrived).toBe(0)
          if (target?.outcome === 'not-back') expect([rebooted, isBack]).toEqual([true, false])
          if (target?.outcome === 'refused') expect(all[position]).toBe('refuses')
        }
      },
    ),
    { numRuns: runs },
  )
}, 120_000)
