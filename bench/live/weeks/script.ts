import type { World } from '../../../src-service/world/world.ts'
import { seeded } from '../../inventory/world.ts'
import { monitoringLoss, day, flapping, hour, minute, nothing, outage, report, sleep, type Cause } from './cause.ts'

/** A week to play: its events in order of time, and the expected notifications. */
export interface Week {
  name: string
  /** ms since the epoch. */
  acts: readonly Act[]
  causes: readonly Cause[]
  /** Maintenance windows that the operator has set before. */
  maintenance: readonly Maintenance[]
}

export type Act =
  | { at: number; do: 'connect'; id: string; connected: boolean }
  | { at: number; do: 'reach'; reachable: boolean }
  | { at: number; do: 'sleep'; until: number }

export interface Maintenance {
  siteId: string
  /** One of its devices. */
  id: string
  from: number
  until: number
}

interface Span {
  from: number
  until: number
}

interface Draft {
  start: number
  random: () => number
  acts: Act[]
  causes: Cause[]
  maintenance: Maintenance[]
  /** Spans without monitoring: asleep, or without a network. */
  unseen: Span[]
  /** The events of each device, so that no two causes overlap on the same device. */
  busy: Map<string, Span[]>
  sites: { id: string; ids: string[] }[]
  online: string[]
}

/**
 * Returns the week of a wall display that never sleeps: outages, blips, flapping, nightly reboots, a maintenance in a
 * maintenance window.
 */
export function wallDisplay(world: World, start: number, seed: number): Week {
  const draft = begin(world, start, seed)
  for (let date = 0; date < 7; date += 1) {
    const at = start + date * day
    if (date === 6) maintenance(draft, { from: at + hour, until: at + 2.5 * hour })
    nightlyReboots(draft, at + 3 * hour)
    if (date % 2 === 0) siteOutage(draft, at + between(draft, 8, 14) * hour, between(draft, 15, 90) * minute)
    if (date % 2 === 1) stutter(draft, at + between(draft, 15, 18) * hour, between(draft, 20, 60) * minute)
    if (date % 3 === 1) flaps(draft, at + between(draft, 9, 15) * hour)
    for (let n = 0; n < 6; n += 1) single(draft, at + between(draft, 6, 22) * hour, between(draft, 10, 90) * minute)
    for (let n = 0; n < 40; n += 1) blip(draft, at + between(draft, 4, 23) * hour)
  }
  return week('a wall display', draft)
}

/** Returns the week of a laptop that sleeps at night, on a VPN that drops once a day and sometimes briefly. */
export function laptop(world: World, start: number, seed: number): Week {
  const draft = begin(world, start, seed)
  for (let date = 0; date < 7; date += 1) {
    const at = start + date * day
    closedLid(draft, { from: at + 18 * hour, until: at + 31.5 * hour })
    vpnDrop(draft, at + 11 * hour, between(draft, 10, 40) * minute)
    for (const when of [9.5, 14, 16.5]) vpnBlink(draft, at + when * hour)
  }
  for (let date = 0; date < 7; date += 1) {
    const at = start + date * day
    // One is over before the lid opens, one is open then, one begins while the VPN is down.
    siteOutage(draft, at + 20 * hour, 2 * hour)
    if (date % 2 === 1) siteOutage(draft, at + 29 * hour, 4 * hour)
    nightlyReboots(draft, at + 27 * hour)
    if (date % 2 === 0) single(draft, at + 11 * hour + 5 * minute, 90 * minute)
    for (let n = 0; n < 4; n += 1)
      single(draft, at + between(draft, 12.5, 15.5) * hour, between(draft, 10, 60) * minute)
    for (let n = 0; n < 20; n += 1) blip(draft, at + between(draft, 8, 17) * hour)
  }
  return week('a laptop', draft)
}

function begin(world: World, start: number, seed: number): Draft {
  const devices = world.devices().filter(({ connected }) => connected === true)
  const sites = [
    ...Map.groupBy(
      devices.filter(({ site }) => site !== null),
      ({ site }) => site?.id ?? '',
    ),
  ].map(([id, of]) => ({ id, ids: of.map((each) => each.id) }))
  return {
    start,
    random: seeded(seed),
    acts: [],
    causes: [],
    maintenance: [],
    unseen: [],
    busy: new Map(),
    sites: sites.filter(({ ids }) => ids.length >= 6),
    online: devices.map(({ id }) => id),
  }
}

function week(name: string, { acts, causes, maintenance }: Draft): Week {
  return { name, acts: acts.toSorted((a, b) => a.at - b.at), causes, maintenance }
}

const between = ({ random }: Draft, least: number, most: number): number => least + random() * (most - least)

/** Returns when an event at that moment is observed. */
const seesAt =
  ({ unseen }: Draft) =>
  (at: number): number =>
    unseen.find(({ from, until }) => at >= from && at < until)?.until ?? at

/** Reserves those of these devices without another event from half an hour before until half an hour after. */
function take({ busy }: Draft, ids: readonly string[], { from, until }: Span): string[] {
  const around = { from: from - hour / 2, until: until + hour / 2 }
  const free = ids.filter(
    (id) => !(busy.get(id) ?? []).some((span) => span.from < around.until && around.from < span.until),
  )
  for (const id of free) busy.set(id, [...(busy.get(id) ?? []), around])
  return free
}

function one(draft: Draft, span: Span): string {
  for (let tries = 0; tries < 1000; tries += 1) {
    const [id] = take(draft, [draft.online[Math.floor(draft.random() * draft.online.length)] ?? ''], span)
    if (id !== undefined) return id
  }
  throw new Error('the script asks for more devices than there are')
}

/** Returns a site whose devices have no other event then. */
function quietSite(draft: Draft, span: Span): Draft['sites'][number] {
  for (let tries = 0; tries < 1000; tries += 1) {
    const site = draft.sites[Math.floor(draft.random() * draft.sites.length)]
    if (site === undefined) break
    const taken = take(draft, site.ids, span)
    if (taken.length === site.ids.length) return site
    for (const id of taken) draft.busy.get(id)?.pop()
  }
  throw new Error('the script asks for more sites than there are')
}

function goes(draft: Draft, id: string, { from, until }: Span): void {
  draft.acts.push({ at: from, do: 'connect', id, connected: false }, { at: until, do: 'connect', id, connected: true })
}

/** Drops a whole site within five seconds; its devices recover one after the other within one minute. */
function siteOutage(draft: Draft, from: number, ms: number): void {
  const span = { from, until: from + ms }
  const { ids } = quietSite(draft, span)
  for (const [n, id] of ids.entries())
    goes(draft, id, { from: from + (5_000 * n) / ids.length, until: span.until + (minute * n) / ids.length })
  draft.causes.push(outage('site outage', ids, span, seesAt(draft)))
}

/** A site's outage in which a third of its devices reconnect now and then for 20 s: still one outage. */
function stutter(draft: Draft, from: number, ms: number): void {
  const span = { from, until: from + ms }
  const { ids } = quietSite(draft, span)
  for (const [n, id] of ids.entries()) {
    const first = from + (5_000 * n) / ids.length
    if (n % 3 !== 0) {
      goes(draft, id, { from: first, until: span.until })
      continue
    }
    const up = from + ms / 2 + 1_000 * n
    goes(draft, id, { from: first, until: up })
    goes(draft, id, { from: up + 20_000, until: span.until })
  }
  draft.causes.push(outage('site outage that stutters', ids, span, seesAt(draft)))
}

function single(draft: Draft, from: number, ms: number): void {
  const span = { from, until: from + ms }
  const id = one(draft, span)
  goes(draft, id, span)
  draft.causes.push(outage('single device', [id], span, seesAt(draft)))
}

/** Offline for 5 to 80 s. */
function blip(draft: Draft, from: number): void {
  const span = { from, until: from + between(draft, 5, 80) * 1_000 }
  const id = one(draft, span)
  goes(draft, id, span)
  draft.causes.push(nothing('blip', [id]))
}

/** An hour of 20 to 60 s offline and 60 to 180 s online. */
function flaps(draft: Draft, from: number): void {
  const span = { from, until: from + hour }
  const id = one(draft, span)
  for (let at = from; at < span.until;) {
    const back = at + between(draft, 20, 60) * 1_000
    goes(draft, id, { from: at, until: back })
    at = back + between(draft, 60, 180) * 1_000
  }
  draft.causes.push(flapping(id, span))
}

/** Reboots a third of the fleet within half an hour, each for 30 to 75 s. */
function nightlyReboots(draft: Draft, from: number): void {
  const span = { from, until: from + 32 * minute }
  const ids = take(
    draft,
    draft.online.filter((_id, at) => at % 3 === 0),
    span,
  )
  for (const id of ids) {
    const at = from + between(draft, 0, 30) * minute
    goes(draft, id, { from: at, until: at + between(draft, 30, 75) * 1_000 })
  }
  draft.causes.push(nothing('nightly reboots', ids))
}

/**
 * A site's devices are offline for 20 minutes each, in four waves, within a maintenance window; two recover hours after
 * its end.
 */
function maintenance(draft: Draft, window: Span): void {
  const late = window.until + 3 * hour
  const { id: siteId, ids } = quietSite(draft, { from: window.from, until: late })
  const lost = ids.slice(0, 2)
  for (const [n, id] of ids.entries()) {
    const at = window.from + 10 * minute + (n % 4) * 10 * minute
    goes(draft, id, { from: at, until: lost.includes(id) ? late : at + 20 * minute })
  }
  draft.maintenance.push({ siteId, id: ids[0] ?? '', ...window })
  draft.causes.push(report(window.until, lost), nothing('maintenance', ids), ...lost.map((id) => lateReturn(id, late)))
}

/** Returns the recovery of a device that the closing report named. */
function lateReturn(id: string, at: number): Cause {
  const {
    due: [, back],
    ...cause
  } = outage('maintenance', [id], { from: at - hour, until: at }, (moment) => moment)
  return { ...cause, due: back === undefined ? [] : [back] }
}

function closedLid(draft: Draft, span: Span): void {
  draft.unseen.push(span)
  draft.acts.push({ at: span.from, do: 'sleep', until: span.until })
  draft.causes.push(sleep(span))
}

function vpnDrop(draft: Draft, from: number, ms: number): void {
  const span = { from, until: from + ms }
  draft.unseen.push(span)
  draft.acts.push({ at: from, do: 'reach', reachable: false }, { at: span.until, do: 'reach', reachable: true })
  draft.causes.push(monitoringLoss('VPN drop', span))
}

/** Shorter than any hold-off. */
function vpnBlink(draft: Draft, at: number): void {
  const until = at + between(draft, 5, 30) * 1_000
  draft.acts.push({ at, do: 'reach', reachable: false }, { at: until, do: 'reach', reachable: true })
  draft.causes.push(nothing('VPN blink', []))
}
