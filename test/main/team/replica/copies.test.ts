import { afterEach, expect, test } from 'vitest'
import { seeded } from '../../../../bench/inventory/world.ts'
import { snapshotIn, snapshotOut } from '../../../../src-main/inventory/thread/log-calls.ts'
import { closeStore } from '../../../../src-main/inventory/store.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { catchUp, catchUpWithActs, openCopy, rows, said } from './copy.ts'

/*
 * All members of a team carry out the same rows. However these are cut into transactions, whoever is started again or joins
 * with a snapshot, their copies say the same, to the last cell of their files.
 */

const sequences = 25
const rowsOfEach = 120

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

test(`copies say the same after ${sequences} sequences, with restarts and snapshots`, () => {
  let transitions = 0
  for (let seed = 1; seed <= sequences; seed += 1) {
    const random = seeded(seed)
    const all = rows(random, rowsOfEach)
    const half = Math.floor(random() * all.length)
    const steady = catchUp(openCopy(temporaryProfile(leftovers)), all, all.length, () => 0.99)
    let one = catchUp(openCopy(temporaryProfile(leftovers)), all, half, random)
    const { file, position } = snapshotOut(one.store, one.calls, one.profile)
    const joined = openCopy(temporaryProfile(leftovers))
    snapshotIn(joined.store, { file, position })
    closeStore(joined.store)
    const late = catchUp(openCopy(joined.profile), all, all.length, random)
    one = catchUp(one, all, all.length, random)
    const expected = said(steady)
    transitions += expected.journal['transition']?.length ?? 0
    expect(said(one), `seed ${seed}, started again`).toEqual(expected)
    expect(said(late), `seed ${seed}, joined later`).toEqual(expected)
    const away = catchUpWithActs(
      openCopy(temporaryProfile(leftovers)),
      openCopy(temporaryProfile(leftovers)),
      all,
      random,
    )
    expect(said(away), `seed ${seed}, with acts that waited`).toEqual(expected)
    for (const { store } of [steady, one, late, away]) closeStore(store)
  }
  expect(transitions).toBeGreaterThan(sequences)
}, 240_000)
