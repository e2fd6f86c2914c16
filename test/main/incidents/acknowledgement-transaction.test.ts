import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { known, only, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** A world with one incident, and what a person does with it. */
async function ready(): Promise<{
  it: World
  acknowledge: () => Promise<number>
  undo: (id: number) => Promise<number>
}> {
  const it = await openWorld(leftovers, usual)
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  const { id } = only(it)
  return {
    it,
    acknowledge: () =>
      it.alerts().mark([{ id, ...known(it) }], { action: { at: it.clock.now(), kind: 'incidents', before: [id] } }),
    undo: (action) => it.alerts().mark([{ id, acknowledged: null }], { undone: action }),
  }
}

const standing = (it: World) => ({
  acknowledged: only(it).operator.acknowledged !== null,
  action: it.calls().action({ id: 1 }) !== null,
})

/** Lets so many steps of waiting code run, and kills Muster. */
async function killAfter(it: World, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve()
  await it.crash()
}

describe('an acknowledgement and its action', () => {
  test('are neither stored nor shown when the journal cannot be written', async () => {
    const { it, acknowledge } = await ready()
    it.disk.full = true
    await expect(acknowledge()).rejects.toThrow('full')
    expect(standing(it)).toEqual({ acknowledged: false, action: false })
    it.disk.full = false
    await it.drop('york-a-1')
    await it.back('york-a-1')
    await it.clock.advance(2 * minute)
    await it.crash()
    expect(standing(it)).toEqual({ acknowledged: false, action: false })
    expect(
      it
        .calls()
        .storedIncident({ id: only(it).id })
        ?.events.map(({ what }) => what),
    ).not.toContain('acknowledged')
  })

  test('are both stored or neither, whenever Muster is killed', async () => {
    const seen = new Set<boolean>()
    for (let steps = 0; steps < 12; steps += 3) {
      const { it, acknowledge } = await ready()
      acknowledge().catch(() => undefined)
      await killAfter(it, steps)
      const { acknowledged, action } = standing(it)
      expect(action).toBe(acknowledged)
      seen.add(acknowledged)
    }
    expect([...seen]).toEqual([false, true])
  })

  test('are both taken back or neither, whenever Muster is killed', async () => {
    const seen = new Set<boolean>()
    for (let steps = 0; steps < 12; steps += 3) {
      const { it, acknowledge, undo } = await ready()
      undo(await acknowledge()).catch(() => undefined)
      await killAfter(it, steps)
      const { acknowledged, action } = standing(it)
      expect(action).toBe(acknowledged)
      seen.add(acknowledged)
    }
    expect([...seen]).toEqual([true, false])
  })

  test('both stay when they cannot be taken back', async () => {
    const { it, acknowledge, undo } = await ready()
    const action = await acknowledge()
    it.disk.full = true
    await expect(undo(action)).rejects.toThrow('full')
    expect(standing(it)).toEqual({ acknowledged: true, action: true })
  })
})
