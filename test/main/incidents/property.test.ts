import { titleOf } from '../../support/messages.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OperatorChange } from '../../../src-main/incidents/engine/state.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, openWorld, type World } from './world.ts'
import type { Plan } from './world-devices.ts'

const plan: Plan = {
  acme: { berlin: { a: 3, b: 2 }, paris: { a: 1, b: 1, c: 1 }, rome: { a: 6 } },
  beta: { london: { a: 2, b: 2 }, york: { a: 1 } },
}
const devices = Object.entries(plan).flatMap(([tenant, sites]) =>
  Object.entries(sites).flatMap(([site, rooms]) =>
    Object.entries(rooms).flatMap(([room, count]) =>
      Array.from({ length: count }, (_, n) => ({ tenant, id: `${site}-${room}-${n + 1}` })),
    ),
  ),
)
const tenants = Object.keys(plan)
const second = 1_000
const minute = 60 * second
const holdOff = 90 * second
const recovery = 60 * second

type Action =
  | { do: 'drop' | 'back'; which: number[] }
  | { do: 'blind' | 'see'; tenant: string }
  | { do: 'pause'; minutes: number }
  | { do: 'restart' | 'crash' }
  | { do: 'acknowledge' | 'release' }
  | { do: 'snooze'; minutes: number | null }
  | { do: 'quiet'; node: string; minutes: number }
  | { do: 'pass'; ms: number }

const some = fc.uniqueArray(fc.nat(devices.length - 1), { minLength: 1, maxLength: devices.length })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('drop' as const, 'back' as const), which: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('blind' as const, 'see' as const, 'see' as const),
      tenant: fc.constantFrom(...tenants),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), minutes: fc.constantFrom(0, 1, 5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('acknowledge' as const, 'release' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('snooze' as const), minutes: fc.constantFrom(1, 10, null) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('quiet' as const),
      node: fc.constantFrom('all', 't:test/acme', 's:test/acme/rome', 'm:test/acme/berlin/a'),
      minutes: fc.constantFrom(1, 10, 60),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(5, 20, 50, 80, 95, 200, 900).map((s) => s * second),
    }),
  },
)

/** A plain model of the state that Muster can know. */
function newModel() {
  const truth = new Map(devices.map(({ tenant, id }) => [keyOf(tenant, id), true]))
  const known = new Map(
    devices.map(({ tenant, id }) => [keyOf(tenant, id), { up: true, since: -Infinity, downSince: Infinity }]),
  )
  /** Devices whose drop was notified and whose recovery was not. */
  const notified = new Set<string>()
  /** The changes of each device, and the devices that ever flapped, which have their own notifications. */
  const changes = new Map<string, number[]>()
  const flappy = new Set<string>()
  /** The last start of each tenant's monitoring loss. */
  const blindAt = new Map<string, number>()
  return {
    truth,
    known,
    notified: notified,
    changes,
    flappy,
    blindAt,
    pausedUntil: -Infinity,
    wasTaken: false,
    problems: [] as string[],
  }
}

type Model = ReturnType<typeof newModel>

function learn(model: Model, world: World, tenant: string): void {
  if (!world.sees(tenant)) return
  for (const device of devices.filter((one) => one.tenant === tenant)) {
    const key = keyOf(tenant, device.id)
    const up = model.truth.get(key) === true
    const before = model.known.get(key)
    if (before?.up === up) continue
    const now = world.clock.now()
    // One that was down for the hold-off and was not seen to be back for the other was never back.
    const blindAt = model.blindAt.get(tenant) ?? -Infinity
    const seenUntil = before !== undefined && blindAt >= before.since ? blindAt : now
    const goesOn =
      before !== undefined &&
      before.up &&
      seenUntil - before.since < recovery &&
      before.since - before.downSince >= holdOff
    const downSince = up || goesOn ? (before?.downSince ?? now) : now
    model.known.set(key, { up, since: goesOn ? downSince : now, downSince })
    const changes = [...(model.changes.get(key) ?? []), now].filter((at) => at > now - 30 * minute)
    model.changes.set(key, changes)
    if (changes.length >= 5) model.flappy.add(key)
  }
}

function check(model: Model, world: World, one: Notification, keys: readonly string[]): void {
  const now = world.clock.now()
  const wrong = (what: string, key = '') => void model.problems.push(`${what} ${key} (${titleOf(one)})`)
  if (now < model.pausedUntil) wrong('told in a pause')
  if (one.kind !== 'monitoring-lost' && one.kind !== 'monitoring-restored' && one.kind !== 'digest' && one.devices < 1)
    wrong('told of nothing')
  for (const key of keys) {
    const known = model.known.get(key)
    const tenant = key.split('/')[1] ?? ''
    if (!world.sees(tenant)) wrong('told while blind', key)
    if (model.flappy.has(key)) continue
    if (known !== undefined && now - known.since < (known.up ? recovery : holdOff))
      wrong('told before the hold-off was over', key)
    if (known?.up === false) {
      // What came back of an incident that somebody had taken on has left it without a word.
      if (model.notified.has(key) && !model.wasTaken) wrong('told twice', key)
      model.notified.add(key)
    } else if (!model.notified.delete(key)) wrong('a return of what was not told', key)
  }
}

async function carryOut(model: Model, world: World, action: Action): Promise<void> {
  switch (action.do) {
    case 'drop':
    case 'back': {
      const chosen = action.which.flatMap((at) => devices[at] ?? [])
      for (const { tenant, id } of chosen) model.truth.set(keyOf(tenant, id), action.do === 'back')
      for (const tenant of tenants) learn(model, world, tenant)
      return world[action.do](...chosen.map(({ id }) => id))
    }
    case 'blind':
      if (world.sees(action.tenant)) model.blindAt.set(action.tenant, world.clock.now())
      return world.blind(action.tenant)
    case 'see':
      await world.see(action.tenant)
      return learn(model, world, action.tenant)
    case 'pause':
      model.pausedUntil = world.clock.now() + action.minutes * minute
      return world.alerts().pause(action.minutes)
    case 'restart':
      for (const tenant of tenants) if (world.sees(tenant)) model.blindAt.set(tenant, world.clock.now())
      return world.restart()
    case 'crash':
      for (const tenant of tenants) if (world.sees(tenant)) model.blindAt.set(tenant, world.clock.now())
      return world.crash()
    case 'acknowledge':
      model.wasTaken = true
      return mark(world, { acknowledged: { at: world.clock.now(), reason: 'Known' } })
    case 'release':
      return mark(world, { acknowledged: null, snoozed: null })
    case 'snooze':
      model.wasTaken ||= action.minutes === null
      return mark(world, {
        snoozed: {
          at: world.clock.now(),
          until: action.minutes === null ? null : world.clock.now() + action.minutes * minute,
        },
      })
    case 'quiet':
      return quiet(world, action.node, world.clock.now() + action.minutes * minute)
    case 'pass':
      return world.clock.advance(action.ms)
  }
}

/** Says so of all that is open. */
async function mark(world: World, change: Omit<OperatorChange, 'id'>): Promise<void> {
  const open = [...world.alerts().state().incidents.values()].filter(({ closedAt }) => closedAt === null)
  await world.alerts().mark(open.map(({ id }) => ({ id, ...change })))
}

/** A maintenance window of its own from now on; those before it go on. */
function quiet({ policies, alerts }: World, node: string, until: number): void {
  const before = { at: policies.maintenanceAt, until: policies.maintenanceUntil }
  const id = `q${until}${node}`
  policies.maintenanceUntil = (asked, now) => (asked === id ? (now < until ? until : null) : before.until(asked, now))
  policies.maintenanceAt = (path, now) =>
    now < until && (node === 'all' || path.includes(node)) ? { id, name: 'Quiet', node, until } : before.at(path, now)
  alerts().recheck()
}

/** Cases that such runs have found. */
const found: Action[][] = [
  // A return whose telling became a part of another one in the very look that was to tell it.
  [
    { do: 'drop', which: [1, 0] },
    { do: 'pass', ms: 95_000 },
    { do: 'back', which: [0] },
    { do: 'drop', which: [2, 3] },
    { do: 'restart' },
    { do: 'pass', ms: 5000 },
    { do: 'restart' },
    { do: 'restart' },
    { do: 'blind', tenant: 'acme' },
  ],
  // What a pause held back, while Muster cannot see it.
  [
    { do: 'pause', minutes: 5 },
    { do: 'drop', which: [0] },
    { do: 'pass', ms: 80_000 },
    { do: 'pass', ms: 50_000 },
    { do: 'restart' },
    { do: 'pause', minutes: 0 },
    { do: 'pass', ms: 5000 },
  ],
  // Snoozes that end in a pause.
  [
    { do: 'drop', which: [0] },
    { do: 'drop', which: [1] },
    { do: 'pass', ms: 900_000 },
    { do: 'snooze', minutes: 1 },
    { do: 'pause', minutes: 5 },
  ],
  // One that flapped, was out of sight for a while and was steady in the end, without a word of it.
  [
    { do: 'drop', which: [0] },
    { do: 'back', which: [0] },
    { do: 'drop', which: [0] },
    { do: 'back', which: [0] },
    { do: 'drop', which: [0] },
    { do: 'pass', ms: 5000 },
    { do: 'restart' },
  ],
]

const runs = Number(process.env['ALERTS_RUNS'] ?? 25)

test(
  'whatever happens: one notification, never while unknown, never before the hold-off',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
        const leftovers = createLeftovers()
        const model = newModel()
        try {
          const world: World = await openWorld(leftovers, plan, {}, (one, keys) => check(model, world, one, keys))
          for (const one of actions) await carryOut(model, world, one)
          // In the end Muster sees, nothing is paused, taken on or quiet, and time passes.
          await world.clock.advance(61 * minute)
          await mark(world, { acknowledged: null, snoozed: null })
          await carryOut(model, world, { do: 'pause', minutes: 0 })
          for (const tenant of tenants) await carryOut(model, world, { do: 'see', tenant })
          await world.clock.advance(70 * minute)
          expect(model.problems).toEqual([])
          const { drops, incidents } = world.alerts().state()
          const isLeft = (key: string) => model.wasTaken && model.truth.get(key) === true && !drops.has(key)
          const down = [...model.truth]
            .filter(([, up]) => !up)
            .map(([key]) => key)
            .toSorted()
          const calm = (keys: Iterable<string>) => [...keys].filter((key) => !model.flappy.has(key)).toSorted()
          expect(calm(model.notified).filter((key) => !isLeft(key))).toEqual(calm(down))
          // All that is down is in an open incident that was told, and nothing else is.
          const open = [...drops.values()].filter(
            (drop) => drop.kind === 'down' && drop.notified && incidents.get(drop.incident)?.closedAt === null,
          )
          expect(open.map(({ key }) => key).toSorted()).toEqual(down)
          expect(drops.size).toBe(down.length)
          expect([...incidents.values()].reduce((sum, { extent }) => sum + extent.down, 0)).toBe(down.length)
          // One more restart finds nothing to tell.
          const before = world.sent.length
          await world.restart()
          for (const tenant of tenants) await world.see(tenant)
          await world.clock.advance(20 * minute)
          expect(world.sent.slice(before).map(titleOf)).toEqual([])
        } finally {
          await leftovers.clean()
        }
      }),
      { numRuns: runs, examples: found.map((actions) => [actions]) },
    )
  },
  60_000 + runs * 2_000,
)
