import { expect, onTestFinished, test } from 'vitest'
import { createScenario, scenarioNames } from '../../../src-service/world/life/scenarios.ts'
import type { ScenarioName } from '../../../src-service/world/life/scenarios.ts'
import { createWorld } from '../../../src-service/world/world.ts'
import type { WorldOptions } from '../../../src-service/world/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

type Change = { at: number; id: string; connected: boolean | null; site: string | undefined }

/** The scenario in a world of its own, whose clock is turned with it; what changed, and when. */
function stage(name: ScenarioName, options: Partial<WorldOptions> & { seed?: number } = {}) {
  const startsAt = Date.parse('2026-05-04T08:00:00Z')
  let elapsed = 0
  const world = createWorld({ devices: 1200, tenants: 3, now: () => startsAt + elapsed, ...options })
  onTestFinished(() => world.close())
  const regions: [number, string, string, number | undefined][] = []
  const changes: Change[] = []
  world.onChange(({ id, connected, site }) => void changes.push({ at: elapsed, id, connected, site: site?.id }))
  const scenario = createScenario(name, {
    world,
    seed: options.seed ?? 1,
    startsAt,
    region: (region, state, ms) => void regions.push([elapsed, region, state, ms]),
  })
  /** Up to that moment, in steps of a quarter of a second, as the wall clock does. */
  const upTo = (ms: number): Change[] => {
    const from = changes.length
    for (; elapsed < ms; elapsed += 250) scenario.advance(250)
    return changes.slice(from)
  }
  const offline = () =>
    world
      .devices()
      .filter(({ connected }) => connected === false)
      .map(({ id }) => id)
  return { world, scenario, upTo, changes, regions, offline }
}

const downs = (changes: Change[]) => changes.filter(({ connected }) => connected === false)
const ups = (changes: Change[]) => changes.filter(({ connected }) => connected === true)
const ids = (changes: Change[]) => changes.map(({ id }) => id).sort()

test.each(scenarioNames)('%s: the same seed gives the same changes, whatever the size of the steps', (name) => {
  const run = (seed: number, step: number) => {
    const { scenario, changes, regions } = stage(name, { seed })
    for (let at = 0; at < 12 * MINUTE; at += step) scenario.advance(step)
    return {
      changes: changes.map(({ id, connected }) => [id, connected]),
      regions: regions.map((entry) => entry.slice(1)),
    }
  }
  const first = run(5, 250)
  expect(first.changes.length + first.regions.length).toBeGreaterThan(5)
  expect(run(5, 6000)).toEqual(first)
  if (name !== 'region-loss') expect(run(6, 250)).not.toEqual(first)
})

test('site-outage: one middle-sized site drops within 5 s and returns after 3 minutes', () => {
  const { world, upTo, scenario, offline } = stage('site-outage')
  const before = offline()
  expect(upTo(30 * SECOND - 250)).toEqual([])
  const dropped = downs(upTo(36 * SECOND))
  const [site] = new Set(dropped.map(({ site }) => site))
  expect(new Set(dropped.map(({ site }) => site)).size).toBe(1)
  expect(world.connectedAt(site ?? '')).toEqual([])
  const sizes = world
    .siteSizes()
    .map(({ devices }) => devices)
    .filter((devices) => devices >= 5)
    .sort((one, other) => one - other)
  expect(sizes.filter((size) => size < dropped.length).length).toBeGreaterThan(0)
  expect(sizes.filter((size) => size > dropped.length + 5).length).toBeGreaterThan(0)
  expect(upTo(210 * SECOND - 250)).toEqual([])
  const returned = upTo(271 * SECOND)
  expect(ids(returned)).toEqual(ids(dropped))
  expect(returned.every(({ connected }) => connected)).toBe(true)
  expect((returned.at(-1)?.at ?? 0) - (returned[0]?.at ?? 0)).toBeGreaterThan(40 * SECOND)
  expect(offline()).toEqual(before)
  expect(upTo(390 * SECOND - 250)).toEqual([])
  const second = downs(upTo(396 * SECOND))
  expect(new Set(second.map((change) => change.site)).size).toBe(1)
  expect(second[0]?.site).not.toBe(site)
  expect(scenario.announced).toContain('2026-05-04T08:00:30.000Z')
})

test("flapping: five devices and a site's switch change five times in every 30 minutes", () => {
  const { upTo, scenario, world } = stage('flapping')
  const changes = upTo(60 * MINUTE)
  const perDevice = new Map<string, Change[]>()
  for (const change of changes) perDevice.set(change.id, [...(perDevice.get(change.id) ?? []), change])
  const bySwitch = [...perDevice.values()].filter(([first]) => scenario.announced.includes(`(${first?.site})`))
  const alone = [...perDevice.values()].filter(([first]) => !scenario.announced.includes(`(${first?.site})`))
  expect(alone).toHaveLength(5)
  expect(bySwitch.length).toBeGreaterThanOrEqual(5)
  for (const [from, to] of [
    [0, 30],
    [30, 60],
  ] as const) {
    for (const one of perDevice.values())
      expect(one.filter(({ at }) => at >= from * MINUTE && at < to * MINUTE).length).toBeGreaterThan(5)
  }
  // The switch takes all of its devices at once.
  expect(new Set(bySwitch.map((one) => JSON.stringify(one.map(({ at, connected }) => [at, connected])))).size).toBe(1)
  expect(world.siteSizes().length).toBeGreaterThan(3)
})

test('maintenance: the announced site reboots in four waves at the announced time', () => {
  const { world, upTo, scenario, offline } = stage('maintenance')
  const before = offline()
  const site = world.siteSizes().find(({ siteId }) => scenario.announced.includes(`(${siteId})`))?.siteId ?? ''
  const there = world.connectedAt(site)
  expect(there.length).toBeGreaterThanOrEqual(5)
  expect(scenario.announced).toContain('At 2026-05-04T08:02:00.000Z')
  expect(upTo(120 * SECOND - 250)).toEqual([])
  const waves = [0, 1, 2, 3].map((wave) => downs(upTo((150 + 30 * wave) * SECOND - 250)))
  expect(waves.every((wave) => wave.length > 0 && (wave.at(-1)?.at ?? 0) - (wave[0]?.at ?? 0) <= 5 * SECOND)).toBe(true)
  expect(waves.flatMap(ids).sort()).toEqual(there)
  upTo(30 * MINUTE)
  const lost = offline().filter((id) => !before.includes(id))
  expect(lost).toHaveLength(Math.max(1, Math.round(there.length * 0.03)))
  expect(there.filter((id) => world.device(id)?.callStatus === 'IN_CALL')).toEqual([])
  // No reboot is left behind that a later start would end.
  world.endReboots()
  expect(offline().filter((id) => !before.includes(id))).toEqual(lost)
})

test('region-loss: EU-1 is slow, gone, slow again and back, and again after ten minutes', () => {
  const { upTo, regions, changes } = stage('region-loss')
  upTo(11 * MINUTE)
  expect(regions.map(([at, ...what]) => [Math.round(at / SECOND), ...what])).toEqual([
    [30, 'EU-1', 'slow', 3000],
    [90, 'EU-1', 'gone', undefined],
    [210, 'EU-1', 'slow', 3000],
    [240, 'EU-1', 'up', undefined],
    [630, 'EU-1', 'slow', 3000],
  ])
  expect(changes).toEqual([])
})

test('storm: all of a smaller world drop within 2 s and are back after 90 s', () => {
  const { world, upTo, offline } = stage('storm')
  const before = offline()
  const online = world
    .devices()
    .filter(({ connected }) => connected === true)
    .map(({ id }) => id)
  expect(ids(downs(upTo(32 * SECOND + 250)))).toEqual(online)
  expect(world.totals().online).toBe(0)
  expect(upTo(90 * SECOND - 250)).toEqual([])
  expect(ids(ups(upTo(120 * SECOND + 250)))).toEqual(online)
  expect(offline()).toEqual(before)
})

test('storm: of a larger world 10,000 drop, no more and no fewer', () => {
  const { upTo, world } = stage('storm', { devices: 25_000 })
  upTo(30 * SECOND - 250)
  const dropped = downs(upTo(32 * SECOND + 250))
  expect(new Set(ids(dropped)).size).toBe(10_000)
  expect(new Set(dropped.map(({ site }) => site)).size).toBeGreaterThan(20)
  upTo(121 * SECOND)
  expect(world.totals().offline).toBeLessThan(500)
}, 60_000)

test.each(scenarioNames)('%s in a world without devices, and with devices that are removed meanwhile', (name) => {
  const empty = stage(name, { devices: 0 })
  expect(empty.upTo(12 * MINUTE)).toEqual([])
  const { world, upTo, changes } = stage(name, { devices: 300 })
  upTo(125 * SECOND)
  for (const { id } of world.devices()) world.removeDevice(id)
  const before = changes.length
  upTo(12 * MINUTE)
  expect(changes.length).toBe(before)
})
