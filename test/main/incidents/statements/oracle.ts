import { bodyOf, titleOf } from '../../../support/messages.ts'
import { backOf, incidentIdOf, isDownIn } from '../../../../src-main/incidents/engine/drops/drop.ts'
import type { Incident } from '../../../../src-main/incidents/engine/incident.ts'
import { expect } from 'vitest'
import type { ExpectedReboot } from '../../../../src-shared/model/jobs.ts'
import type { Notification } from '../../../../src-shared/model/inventory.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { keyOf, openWorld, type World } from '../world.ts'
import { devicesOf, isIn, minute, plan, tenants, type Action, type Device } from './story.ts'

/** Plays a story and compares every notification and every listed incident with the truth. */
interface Played {
  world: World
  /** By key; removed devices are gone. */
  devices: Map<string, Device>
  truth: Map<string, boolean>
  pausedUntil: number
  /** The reboots that are awaited, by key, and the devices that went down in the time of theirs as Muster saw. */
  reboots: Map<string, ExpectedReboot>
  fell: Map<string, ExpectedReboot>
  /** Devices that were ever rebooted. */
  rebooted: Set<string>
  /** A clock that was set makes times of waiting another matter. */
  isClockSet: boolean
  /** When something other than time passed last, on the steady clock. */
  movedAt: number
  wrong: string[]
}

const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)
const keyIn = ({ devices }: Played, id: string): string | undefined =>
  [...devices.keys()].find((key) => idOf(key) === id)
const isSeen = ({ world, devices }: Played, key: string): boolean => world.sees(devices.get(key)?.tenant ?? '')
const openIn = ({ world }: Played): Incident[] =>
  [...world.alerts().state().incidents.values()].filter(({ closedAt }) => closedAt === null)
const downIn = (played: Played, node: string): string[] =>
  [...played.devices]
    .filter(([key, device]) => isIn(device, node) && isSeen(played, key) && played.truth.get(key) === false)
    .map(([key]) => key)

/** Checks each notification: its time, its numbers and places, and that the devices it names are down or recovered. */
function checkNotification(played: Played, notification: Notification, keys: readonly string[]): void {
  const { world, wrong, truth, devices } = played
  const report = (what: string) => void wrong.push(`${what}: ${titleOf(notification)} | ${bodyOf(notification)}`)
  const { drops, incidents } = world.alerts().state()
  if (!played.isClockSet && world.clock.now() < played.pausedUntil) report('told in a pause')
  if (['offline', 'flapping', 'recovered'].includes(notification.kind) && notification.devices < 1)
    report('told of nothing')
  const own =
    notification.kind === 'offline' || notification.kind === 'flapping' ? incidents.get(notification.id) : undefined
  const [, count] = /^([\d,]+) devices offline/u.exec(titleOf(notification)) ?? []
  if (own !== undefined) {
    const { acknowledged, snoozed } = own.operator
    const isSnoozed = snoozed !== null && (snoozed.until ?? Infinity) > world.clock.now()
    if (acknowledged !== null || isSnoozed) report('told though somebody has taken it on')
    if (own.delivery.maintenance !== null) report('told in its maintenance window')
    if (count !== undefined && Number(count) !== notification.devices) report('other figures')
    const down = downIn(played, own.scope.shape === 'node' ? (own.scope.path[0]?.id ?? 'all') : 'all')
    if (count !== undefined && Number(count) > down.length) report(`more than the ${down.length} that are down there`)
    if (
      notification.open.device !== null &&
      titleOf(notification).endsWith(' is offline') &&
      truth.get(notification.open.device) !== false
    )
      report('not down')
  }
  const named =
    notification.kind === 'recovered'
      ? [...`${notification.open.filter} ${notification.open.device ?? ''}`.matchAll(/[a-z]+-[a-z]-\d+/gu)].flatMap(
          ([id]) => keyIn(played, id) ?? [],
        )
      : []
  for (const key of named) if (isSeen(played, key) && truth.get(key) === false) report(`${idOf(key)} is not back`)
  checkReboots(played, notification, report)
  for (const key of keys) {
    const drop = drops.get(key)
    const fell = played.fell.get(key)
    if (!played.isClockSet && fell !== undefined && drop?.kind === 'down' && world.clock.now() < fell.until)
      report(`${idOf(key)} is told in the time of its reboot`)
    if (!devices.has(key)) report(`${idOf(key)} is gone`)
    else if (!isSeen(played, key)) report(`${idOf(key)} is not seen`)
    else if (drop?.kind !== 'flapping' && truth.get(key) === (drop !== undefined && drop.kind !== 'recovered'))
      report(`${idOf(key)} is told to be what it is not`)
  }
}

/** Checks that as many devices as a message calls rebooted were, and are down. */
function checkReboots(
  { truth, rebooted, isClockSet, world }: Played,
  { message }: Notification,
  report: (what: string) => void,
): void {
  if (message.kind !== 'offline' || message.reboots === undefined) return
  const { count, from, until, waitMs } = message.reboots
  const down = [...rebooted].filter((key) => truth.get(key) === false)
  if (count < 1 || count > message.count || count > down.length) report(`${down.length} were rebooted and are down`)
  if (!isClockSet && (until < from || from + waitMs > world.clock.now())) report('the time of its reboot is not over')
}

/** Announces the reboots that are awaited, as a job does. */
function announce({ world, reboots }: Played): void {
  for (const [key, { until }] of reboots) if (until <= world.clock.now()) reboots.delete(key)
  world.alerts().expectReboots([...reboots.values()])
}

async function reboot(played: Played, keys: readonly string[], { ms, falls }: Extract<Action, { do: 'reboot' }>) {
  const { world, truth, reboots, fell, rebooted } = played
  const sentAt = world.clock.now()
  for (const key of keys.filter((one) => truth.get(one) === true && isSeen(played, one))) {
    reboots.set(key, { key, job: `job-${world.clock.monotonic()}`, sentAt, until: sentAt + ms })
    rebooted.add(key)
  }
  announce(played)
  if (!falls) return
  const down = keys.filter((key) => truth.get(key) === true && reboots.get(key)?.sentAt === sentAt)
  for (const key of down) {
    truth.set(key, false)
    // A member of an incident goes on in it.
    const isMember = world.alerts().state().drops.get(key) !== undefined
    const one = reboots.get(key)
    if (one !== undefined && !isMember) fell.set(key, one)
  }
  await world.drop(...down.map(idOf))
}

/** Checks the list: devices are in their place, and after a calm time as many are listed down as are down. */
function checkList(played: Played): void {
  const { world, wrong, devices } = played
  const drops = [...world.alerts().state().drops.values()]
  const isCalm =
    world.clock.monotonic() - played.movedAt > 3 * minute &&
    tenants.every((tenant) => world.sees(tenant)) &&
    !played.isClockSet &&
    world.policies.nodes.size === 0
  for (const one of openIn(played)) {
    const members = drops.filter((drop) => isDownIn(drop, one.id) && devices.has(drop.key))
    const { scope, extent } = one
    const place = scope.shape === 'node' ? scope.path[0]?.id : undefined
    const strays = members.filter(
      (drop) =>
        place !== undefined &&
        backOf(drop) === null &&
        isSeen(played, drop.key) &&
        !isIn(devices.get(drop.key) ?? never(), place),
    )
    if (strays.length > 0)
      wrong.push(`not in its place: ${strays.map(({ key }) => idOf(key)).join()} in ${titleOf(one)} (${place})`)
    const { down, othersDown, total } = extent
    if (total !== null && down + othersDown > total)
      wrong.push(`more than there are: ${titleOf(one)}, ${down} and ${othersDown} of ${total}`)
    const tenantsIn = new Set(members.map(({ key }) => devices.get(key)?.tenant))
    if (scope.shape !== 'node' && tenantsIn.size > 1) wrong.push(`of several tenants: ${titleOf(one)}`)
    if (isCalm && members.length !== down) wrong.push(`the list is old: ${titleOf(one)}, ${members.length}`)
  }
}

const never = (): never => {
  throw new Error('checked before')
}

async function perform(played: Played, action: Action): Promise<void> {
  const { world, truth, devices, reboots, fell } = played
  const keysOf = (ids: readonly string[]) => ids.flatMap((id) => keyIn(played, id) ?? [])
  const recheck = (change: Partial<World['settings']>) => {
    Object.assign(world.settings, change)
    world.alerts().recheck()
  }
  switch (action.do) {
    case 'drop':
    case 'back': {
      const keys = keysOf(action.ids)
      for (const key of keys) {
        truth.set(key, action.do === 'back')
        if (action.do === 'back' && reboots.delete(key)) fell.delete(key)
      }
      await world[action.do](...keys.map(idOf))
      return announce(played)
    }
    case 'drop unseen':
    case 'back unseen': {
      const keys = keysOf(action.ids).filter((key) => !isSeen(played, key))
      for (const key of keys) {
        truth.set(key, action.do === 'back unseen')
        fell.delete(key)
      }
      return world.setUnreported(action.do === 'back unseen', ...keys.map(idOf))
    }
    case 'remove':
    case 'move': {
      if (!tenants.every((tenant) => world.sees(tenant))) return
      const keys = keysOf(action.ids)
      if (action.do === 'move') {
        for (const key of keys) Object.assign(devices.get(key) ?? {}, { site: action.site, room: action.room })
        return world.move(action.site, action.room, ...keys.map(idOf))
      }
      for (const key of keys) for (const all of [devices, truth]) all.delete(key)
      await world.remove(...keys.map(idOf))
      return world.clock.advance(2_000)
    }
    case 'blind':
    case 'see':
      return world[action.do](action.tenant)
    case 'pause':
      played.pausedUntil = world.clock.now() + action.ms
      return world.alerts().pause(action.ms / minute)
    case 'restart':
    case 'crash':
      // What a full disk refused is lost with it.
      if (world.disk.full) played.pausedUntil = -Infinity
      await world[action.do]()
      return announce(played)
    case 'reboot':
      return reboot(played, keysOf(action.ids), action)
    case 'reject reboots':
      reboots.clear()
      fell.clear()
      return announce(played)
    case 'acknowledge':
    case 'snooze':
    case 'snooze until it recovers':
    case 'release':
      return applyChange(played, action)
    case 'quiet':
      return addMaintenance(world, action.node, world.clock.now() + action.inMs, action.ms)
    case 'watch':
      return recheck({
        watched:
          action.watched === null ? [] : 'node' in action.watched ? [action.watched.node] : keysOf([action.watched.id]),
      })
    case 'mute':
      return recheck({ mutedModels: action.on ? ['X50'] : [] })
    case 'tell offline':
      return recheck({ notifyOffline: action.on })
    case 'tell recovered':
      return recheck({ notifyRecovered: action.on })
    case 'fill the disk':
      world.disk.full = action.on
      return
    case 'figures':
      world.policies.nodes =
        action.rules === null ? new Map() : new Map([...world.policies.nodes, [action.node, action.rules]])
      return world.alerts().recheck()
    case 'set clock':
      played.isClockSet = true
      return world.clock.jump(action.ms)
    case 'pass':
      return world.clock.advance(action.ms)
  }
}

async function applyChange(played: Played, { do: what, nth, ms }: Extract<Action, { nth: number }>): Promise<void> {
  const open = openIn(played)
  const one = open[nth % Math.max(1, open.length)]
  const at = played.world.clock.now()
  if (one === undefined) return
  const change =
    what === 'acknowledge'
      ? { acknowledged: { at, reason: 'Known' } }
      : what === 'release'
        ? { acknowledged: null, snoozed: null }
        : { snoozed: { at, until: what === 'snooze' ? at + ms : null } }
  const { alerts, disk } = played.world
  const changed = alerts().mark([{ id: one.id, ...change }])
  await (disk.full ? expect(changed).rejects.toThrow('full') : changed)
}

/** One more window; those before it go on. */
function addMaintenance({ policies, alerts }: World, node: string, from: number, ms: number): void {
  const before = { at: policies.maintenanceAt, until: policies.maintenanceUntil, over: policies.endedMaintenance }
  const id = `q${from}${node}`
  const until = from + ms
  const window = { id, name: 'Quiet', node, until }
  policies.maintenanceUntil = (node, now) =>
    node === id ? (from <= now && now < until ? until : null) : before.until(node, now)
  policies.maintenanceAt = (path, now) =>
    from <= now && now < until && path.includes(node) ? window : before.at(path, now)
  policies.endedMaintenance = (path, span, now) =>
    until <= now && span.from < until && span.until >= from && path.includes(node)
      ? window
      : before.over(path, span, now)
  alerts().recheck()
}

/** Ends every suppression. Then each device down is in an open incident, no other one is, and no notification follows. */
async function comeToRest(played: Played): Promise<void> {
  const { world, wrong, truth } = played
  const pass = (minutes: number) => world.clock.advance(minutes * minute)
  world.disk.full = false
  await pass(played.isClockSet ? 435 : 75)
  await world.alerts().mark(openIn(played).map(({ id }) => ({ id, acknowledged: null, snoozed: null })))
  world.policies.nodes = new Map()
  Object.assign(world.settings, { notifyOffline: true, notifyRecovered: true, mutedModels: [] })
  world.alerts().recheck()
  await perform(played, { do: 'pause', ms: 0 })
  for (const tenant of tenants) await world.see(tenant)
  await pass(100)
  const { drops, incidents, maintenanceRuns: runs, monitoringLost } = world.alerts().state()
  for (const key of drops.keys())
    if (truth.get(key) !== false) wrong.push(`held in the end, and not down: ${idOf(key)}`)
  for (const [key, up] of truth) {
    const drop = drops.get(key)
    const incident = incidents.get(incidentIdOf(drop) ?? '')
    if (up) continue
    if (drop === undefined || incident?.closedAt !== null || drop.kind === 'flapping')
      wrong.push(`down in the end, and in no open outage: ${idOf(key)}`)
    else if (!incident.delivery.muted && (drop.kind !== 'down' || !drop.notified))
      wrong.push(`down in the end, and not told: ${idOf(key)} in ${titleOf(incident)}`)
  }
  const down = [...truth.values()].filter((up) => !up).length
  const listed = openIn(played).reduce((sum, { extent }) => sum + extent.down, 0)
  if (listed !== down) wrong.push(`in the end ${listed} in the list, ${down} down`)
  if (runs.size + monitoringLost.size > 0)
    wrong.push(`left in the end: ${runs.size} windows, ${monitoringLost.size} tenants out of sight`)
  await staysAtRest(played)
}

async function staysAtRest({ world, wrong }: Played): Promise<void> {
  const [sentBefore, { locations, writes }] = [world.sent.length, { ...world.requests }]
  await world.clock.advance(65 * minute)
  if (world.requests.locations - locations > 6 || world.requests.writes - writes > 3)
    wrong.push(
      `not at rest: ${world.requests.locations - locations} requests for locations, ${world.requests.writes - writes} writes in an hour`,
    )
  await world.restart()
  for (const tenant of tenants) await world.see(tenant)
  await world.clock.advance(20 * minute)
  for (const one of world.sent.slice(sentBefore)) wrong.push(`told again in the end: ${titleOf(one)}`)
}

/** The errors of a story, as text; empty without errors. */
export async function wrongIn(story: readonly Action[]): Promise<string[]> {
  const leftovers = createLeftovers()
  const devices = new Map(devicesOf().map((one) => [keyOf(one.tenant, one.id), one]))
  try {
    const world: World = await openWorld(leftovers, plan, {}, (notification, keys) =>
      checkNotification(played, notification, keys),
    )
    const played: Played = {
      world,
      devices,
      truth: new Map([...devices.keys()].map((key) => [key, true])),
      pausedUntil: -Infinity,
      reboots: new Map(),
      fell: new Map(),
      rebooted: new Set(),
      isClockSet: false,
      movedAt: 0,
      wrong: [],
    }
    for (const action of story) {
      if (action.do !== 'pass') played.movedAt = world.clock.monotonic()
      await perform(played, action)
      if (action.do === 'pass') checkList(played)
    }
    await comeToRest(played)
    return played.wrong
  } finally {
    await leftovers.clean()
  }
}
