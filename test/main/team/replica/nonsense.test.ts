import { afterEach, expect, test } from 'vitest'
import { seeded } from '../../../../bench/inventory/world.ts'
import { applyLog } from '../../../../src-main/inventory/thread/log-calls.ts'
import { loggedCalls } from '../../../../src-main/inventory/thread/logged-calls.ts'
import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import { closeStore } from '../../../../src-main/inventory/store.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { openCopy, rows } from './copy.ts'

/* Whoever may write to the team's log may write nonsense: copies go on, and open again. */

const sequences = 25

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const odd: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  1e308,
  Number.NaN,
  '',
  'x'.repeat(5000),
  '\u0000',
  '__proto__',
  [],
  [null],
  {},
  { constructor: 1 },
  true,
]

/** Returns a value with one of its parts replaced, left out or added. */
function mutated(value: unknown, random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  if (Array.isArray(value) && value.length > 0 && random() < 0.8) {
    const at = Math.floor(random() * value.length)
    return value.with(at, mutated(value[at], random))
  }
  if (typeof value === 'object' && value !== null && random() < 0.8) {
    const entries = Object.entries(value)
    const [name] = pick(entries.length === 0 ? [['none', null]] : entries)
    return Object.fromEntries(
      random() < 0.2
        ? entries.filter(([each]) => each !== name)
        : entries.map(([each, held]) => [each, each === name ? mutated(held, random) : held]),
    )
  }
  return pick(odd)
}

/** Rows of which every third is nonsense: a mutated one, or any call with any input. */
function nonsense(random: () => number): LoggedCall[] {
  const names = Object.keys(loggedCalls)
  return rows(random, 120).flatMap((row) => {
    const chance = random()
    if (chance < 0.2) return [row, { ...row, input: mutated(row.input, random), role: 'ann' }]
    const call = names[Math.floor(random() * names.length)] ?? ''
    if (chance < 0.35) return [{ call, input: odd[Math.floor(random() * odd.length)], role: 'ann' }, row]
    return [row]
  })
}

test(`nonsense in the log stops no copy: ${sequences} sequences`, () => {
  let faults = 0
  for (let seed = 1; seed <= sequences; seed += 1) {
    const random = seeded(seed)
    const all = nonsense(random)
    let copy = openCopy(temporaryProfile(leftovers))
    const carryOut = (call: LoggedCall) => {
      const after = copy.store.journal.logPosition.read()
      const number = (after?.number ?? 0) + 1
      const position = { number, id: `row ${number}` }
      const [result] = applyLog(copy.store, copy.calls, { calls: [call], after, position }).results
      return result?.ok
    }
    for (const row of all) {
      if (carryOut(row) === false) faults += 1
      if (random() > 0.02) continue
      closeStore(copy.store)
      copy = openCopy(copy.profile)
    }
    const name = `After ${seed}`
    const tenants = [{ id: 'late', name, region: null }]
    const at = copy.store.sequence + 5_000_000
    expect(carryOut({ call: 'tenants', input: { service: 'x', connection: 'c1', tenants, at } }), `seed ${seed}`).toBe(
      true,
    )
    closeStore(copy.store)
    const again = openCopy(copy.profile)
    expect(again.calls.locations({ keys: [], paused: [] }).tenants.map((tenant) => tenant.name)).toContain(name)
    closeStore(again.store)
  }
  expect(faults).toBeGreaterThan(sequences * 5)
}, 240_000)
