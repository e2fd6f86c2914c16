import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { tempProfile } from './profile.ts'
import { step } from './engine-steps.ts'
import { type Model, carryOut, expectAnswers, expectModel, expectCoverage, everyRow, held } from './engine-model.ts'

describe('the engine', () => {
  let temp: ReturnType<typeof tempProfile>
  beforeEach(() => {
    temp = tempProfile()
  })
  afterEach(() => temp.remove())

  test('answers as a plain filter, sort and slice would, also after a restart', { timeout: 120_000 }, () => {
    const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
    console.log(`seed ${seed}`)
    let run = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        run += 1
        const inner = tempProfile()
        let calls = callsOn(openStore(inner.profile, 1, 0))
        try {
          const model: Model = {
            tenants: new Map(),
            rows: new Map(),
            names: new Map(),
            on: [],
            spares: { models: [], age: null },
            notes: new Map(),
          }
          carryOut(
            calls,
            model,
            {
              kind: 'tenants',
              list: [
                { id: 't1', name: 'One', region: 'EU-1' },
                { id: 't/2', name: 'Two', region: null },
              ],
            },
            0,
          )
          steps.forEach((what, index) => {
            if (what.kind === 'ask') return expectAnswers(calls, model, what)
            carryOut(calls, model, what, index + 1)
            expectModel(calls, model)
            expectCoverage(calls, model)
          })
          const before = everyRow(calls).map((row) => ({ ...row, status: 'unknown' }))
          calls.close(undefined)
          calls = callsOn(openStore(inner.profile, 1, 0))
          calls.extraColumns({ columns: held(model.on) })
          expect(everyRow(calls)).toEqual(before)
        } finally {
          calls.close(undefined)
          inner.remove()
        }
      }),
      { seed, numRuns: 100 },
    )
    expect(run).toBeGreaterThanOrEqual(100)
  })
})
