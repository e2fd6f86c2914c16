import type { Life } from './life.ts'
import { startRandom } from '../random.ts'
import type { Random } from '../random.ts'
import type { Region, Site } from '../store/rows.ts'
import { startTimeline } from './timeline.ts'
import type { Timeline } from './timeline.ts'
import type { World } from '../world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Scripted events of a fleet, for demonstrations and measurements. README.md describes each, second by second. */
export const scenarioNames = ['site-outage', 'flapping', 'maintenance', 'region-loss', 'storm'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** As life, a function of time alone: the same seed and the same world give the same events at the same moments. */
export type Scenario = Life & {
  name: ScenarioName
  /** One sentence that announces the events and their start. */
  announced: string
}

type ScenarioOptions = {
  world: World
  seed: number
  /** When its time begins, milliseconds since 1970; for the announcement. */
  startsAt: number
  /** Sets the state of a whole region. `ms`: delay of each use of a slow one. */
  region: (region: Region, state: 'up' | 'slow' | 'gone', ms?: number) => void
}

type ScenarioContext = ScenarioOptions & { random: Random; time: Timeline; clockAt: (ms: number) => string }

/** Creates a scenario and plans its first events; `advance` performs them. Draws from the seed alone. */
export function createScenario(name: ScenarioName, options: ScenarioOptions): Scenario {
  const time = startTimeline()
  const clockAt = (ms: number): string => new Date(options.startsAt + ms).toISOString()
  const announced = plans[name]({ ...options, time, clockAt, random: startRandom(options.seed ^ 0x5ce4a) })
  return { name, announced, advance: time.advance }
}

/** Each plans its first events and returns their announcement. */
const plans: Record<ScenarioName, (context: ScenarioContext) => string> = {
  'site-outage': siteOutage,
  flapping,
  maintenance,
  'region-loss': regionLoss,
  storm,
}

/**
 * All devices of a middle-sized site drop within 5 s; from 3 minutes on they recover, one after the other within a
 * minute; every 6 minutes another site.
 */
function siteOutage(context: ScenarioContext): string {
  const { world, time, clockAt } = context
  let last: string | undefined
  every(time, 30 * SECOND, 6 * MINUTE, (start) => {
    last = drawSite(context, last)?.id
    const ids = last === undefined ? [] : shuffled(context.random, world.connectedAt(last))
    spread(start, 5 * SECOND, ids.length).forEach((at, n) =>
      time.at(at, () => setConnected(context, ids[n] ?? '', false)),
    )
    spread(start + 3 * MINUTE, MINUTE, ids.length).forEach((at, n) =>
      time.at(at, () => setConnected(context, ids[n] ?? '', true)),
    )
  })
  return `From ${clockAt(30 * SECOND)} on, and every 6 minutes, a site of middle size loses all its devices for 3 to 4 minutes`
}

/**
 * Five devices flap, each by itself, and so does the switch of a site with all its devices: more than 5 changes in 30
 * minutes each.
 */
function flapping(context: ScenarioContext): string {
  const { world, clockAt } = context
  const site = drawSite(context)
  singles(context, 5, site?.id).forEach((id, n) =>
    flap(context, (20 + 5 * n) * SECOND, { who: () => [id], away: [20, 60], there: [60, 180] }),
  )
  if (site) flap(context, MINUTE, { who: () => world.connectedAt(site.id), away: [20, 40], there: [120, 240] })
  return `From ${clockAt(20 * SECOND)} on five single devices come and go, and from ${clockAt(MINUTE)} on the switch of ${nameOf(world, site)}`
}

/** `away` and `there`: shortest and longest time, seconds. */
type Flapper = { who: () => string[]; away: readonly [number, number]; there: readonly [number, number] }

function flap(context: ScenarioContext, at: number, flapper: Flapper): void {
  const { random, time } = context
  const { who, away, there } = flapper
  time.at(at, () => {
    const ids = who()
    const back = at + random.int(away[0], away[1]) * SECOND
    // Each device separately: a failed write is repeated alone.
    for (const id of ids) time.at(at, () => setConnected(context, id, false))
    for (const id of ids) time.at(back, () => setConnected(context, id, true))
    flap(context, back + random.int(there[0], there[1]) * SECOND, flapper)
  })
}

/**
 * From the second minute on a site is rebooted in four waves, one every 30 s: a quarter of its devices drop within 5 s,
 * and each recovers 20 to 60 s later, except 3 % of them, at least one, which stay offline.
 */
function maintenance(context: ScenarioContext): string {
  const { world, random, time, clockAt } = context
  const site = drawSite(context)
  const [start, waves] = [2 * MINUTE, 4]
  if (site)
    time.at(start, () => {
      const ids = shuffled(random, world.connectedAt(site.id))
      const lost = new Set(ids.slice(0, Math.max(1, Math.round(ids.length * 0.03))))
      const order = shuffled(random, ids)
      for (let wave = 0; wave < waves; wave += 1) {
        const part = order.filter((_id, n) => n % waves === wave)
        spread(start + wave * 30 * SECOND, 5 * SECOND, part.length).forEach((at, n) =>
          reboot(context, at, part[n] ?? '', lost),
        )
      }
    })
  return `At ${clockAt(start)} all devices of ${nameOf(world, site)} are rebooted in ${waves} waves, and a few do not come back`
}

function reboot(context: ScenarioContext, at: number, id: string, lost: ReadonlySet<string>): void {
  const { time, random, world } = context
  const back = at + random.int(20 * SECOND, 60 * SECOND)
  let begun = false
  time.at(at, () => {
    begun ||= world.beginReboot(id, Number.MAX_SAFE_INTEGER)
    if (!begun) return
    // Its call has ended, as in any reboot; this timeline ends the reboot, not the service's clock.
    world.setConnected(id, false)
    if (!lost.has(id)) time.at(back, () => setConnected(context, id, true))
  })
}

/**
 * EU-1 is slow (3 s for each use) for a minute, then unavailable for two, slow again for 30 s, and then available;
 * repeated every 10 minutes.
 */
function regionLoss({ time, region, clockAt }: ScenarioContext): string {
  every(time, 30 * SECOND, 10 * MINUTE, (start) => {
    region('EU-1', 'slow', 3 * SECOND)
    time.at(start + MINUTE, () => region('EU-1', 'gone'))
    time.at(start + 3 * MINUTE, () => region('EU-1', 'slow', 3 * SECOND))
    time.at(start + 3.5 * MINUTE, () => region('EU-1', 'up'))
  })
  return `At ${clockAt(30 * SECOND)}, and every 10 minutes, the region EU-1 becomes slow, then is gone, and comes back`
}

/**
 * 10,000 devices of the whole fleet, or all of a smaller one, drop within 2 s, and recover within 30 s, a minute after
 * the first drop; repeated every 5 minutes.
 */
function storm(context: ScenarioContext): string {
  const { time, clockAt } = context
  every(time, 30 * SECOND, 5 * MINUTE, (start) => {
    const ids = singles(context, 10_000)
    spread(start, 2 * SECOND, ids.length).forEach((at, n) =>
      time.at(at, () => setConnected(context, ids[n] ?? '', false)),
    )
    spread(start + MINUTE, 30 * SECOND, ids.length).forEach((at, n) =>
      time.at(at, () => setConnected(context, ids[n] ?? '', true)),
    )
  })
  return `At ${clockAt(30 * SECOND)}, and every 5 minutes, 10,000 devices (or all that there are) drop within 2 seconds and come back after a minute`
}

function every(time: Timeline, first: number, period: number, act: (start: number) => void): void {
  time.at(first, () => {
    act(first)
    every(time, first + period, period, act)
  })
}

/** Sets the status of a device unless it was removed. */
function setConnected({ world }: ScenarioContext, id: string, connected: boolean): void {
  if (world.device(id)) world.setConnected(id, connected)
}

/** Returns `count` moments at equal distances, the first at `start`, all before `start + ms`. */
function spread(start: number, ms: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => start + (n * ms) / count)
}

/** Returns the middle third of all sites with at least 5 devices, by their numbers of devices. */
function middleSites(world: World): Site[] {
  const sizes = world
    .siteSizes()
    .filter(({ devices }) => devices >= 5)
    .sort((one, other) => one.devices - other.devices)
  return sizes
    .slice(Math.floor(sizes.length / 3), Math.ceil((2 * sizes.length) / 3))
    .flatMap(({ siteId }) => world.site(siteId) ?? [])
}

function drawSite({ world, random }: ScenarioContext, not?: string): Site | null {
  const sites = middleSites(world)
  const others = sites.filter(({ id }) => id !== not)
  return sites.length === 0 ? null : random.pick(others.length > 0 ? others : sites)
}

/** Returns `count` random connected devices outside of one site; all of them where there are fewer. */
function singles({ world, random }: ScenarioContext, count: number, notAt?: string): string[] {
  const elsewhere = (id: string): boolean => notAt === undefined || world.device(id)?.site?.id !== notAt
  // For most of the fleet, reading all is faster than drawing.
  if (world.totals().online < 2 * count) return shuffled(random, world.connected().filter(elsewhere)).slice(0, count)
  const drawn = new Set<string>()
  for (let tries = 0; drawn.size < count && tries < 20 * count; tries += 1) {
    const id = world.anyConnected(random.next)
    if (id !== undefined && !drawn.has(id) && elsewhere(id)) drawn.add(id)
  }
  return [...drawn]
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, draw: random.next() }))
    .sort((one, other) => one.draw - other.draw)
    .map(({ item }) => item)
}

function nameOf(world: World, site: Site | null): string {
  if (!site) return 'no site, since none has 5 devices'
  return `"${site.name}" (${site.id}) of ${world.tenants().find(({ id }) => id === site.tenantId)?.name ?? site.tenantId}`
}
