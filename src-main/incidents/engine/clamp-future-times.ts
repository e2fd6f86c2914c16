import { backOf, type Drop, type EventTime, type Expected } from './drops/drop.ts'
import { notAhead, overBy } from './drops/reboots.ts'
import type { Incident, Largest } from './incident.ts'
import { renotifyMs, type State } from './state.ts'
import { assertNever } from '../../../src-shared/model/fault.ts'
import type { Headline, Message, Reboots } from '../../../src-shared/model/messages.ts'

/** Returns whether a stored state was made by a clock that was ahead of this one. */
export function hasFutureTimes(
  { drops, incidents, notifications, monitoringLost, pause }: State,
  now: number,
): boolean {
  const isLater = (at: number | null) => at !== null && at > now
  return (
    isLater(pause?.since ?? null) ||
    [...monitoringLost.values()].some(({ since }) => isLater(since)) ||
    [...drops.values()].some((drop) => isLater(drop.at) || isLater(backOf(drop)?.at ?? null)) ||
    [...incidents.values()].some(({ changedAt }) => isLater(changedAt)) ||
    [...notifications.values()].some(({ content }) => isLater(content.at))
  )
}

/**
 * Returns the state with every time limited to `now` (ms). The times lie ahead when the computer's clock was ahead and
 * was set back; unclamped, they would block notifications for that long. Spans that were to end later keep their
 * remaining length.
 */
export function clampFutureTimes(state: State, now: number): State {
  const by = (at: number) => Math.min(at, now)
  const maybe = (at: number | null) => (at === null ? null : by(at))
  const all = <T>(map: ReadonlyMap<string, T>, change: (one: T) => T) =>
    new Map([...map].map(([key, one]) => [key, change(one)]))
  const ahead = (at: number, until: number) => until - Math.max(0, at - now)
  return {
    ...state,
    drops: all(state.drops, (drop) =>
      dropOf(
        drop,
        (time) => ({ at: by(time.at), notBefore: maybe(time.notBefore) }),
        (reboot) => notAhead(reboot, now),
        (reboot) => overBy(reboot, now),
      ),
    ),
    // Clamped times would make a steady device flap, so they are dropped. A device that flaps already keeps them and
    // becomes steady no sooner.
    flaps: new Map(
      [...state.flaps].map(([key, { times }]) => [
        key,
        {
          times: state.drops.get(key)?.kind === 'flapping' ? times.map(by) : times.filter((at) => at <= now),
          thresholds: null,
        },
      ]),
    ),
    incidents: all(state.incidents, (one) => incidentOf(one, by, maybe, ahead)),
    notifications: all(state.notifications, (one) => ({
      ...one,
      content: { ...one.content, at: by(one.content.at), message: messageOf(one.content.message, by) },
      firstAt: by(one.firstAt),
      earlier: one.earlier.map(({ at, message }) => ({ at: by(at), message: messageOf(message, by) })),
    })),
    monitoringLost: all(state.monitoringLost, (one) => ({
      ...one,
      since: by(one.since),
      noticedAt: by(one.noticedAt),
      restoredAt: maybe(one.restoredAt),
      waitUntil: 0,
    })),
    lastLostAt: all(state.lastLostAt, by),
    maintenanceRuns: all(state.maintenanceRuns, (one) => ({
      ...one,
      until: one.endedAt === null ? one.until : Math.min(one.until, now + renotifyMs),
      endedAt: maybe(one.endedAt),
      unseenDrops: one.unseenDrops && {
        ...one.unseenDrops,
        from: by(one.unseenDrops.from),
        until: by(one.unseenDrops.until),
        settledAt: Math.min(one.unseenDrops.settledAt, now + renotifyMs),
      },
    })),
    maintenanceReports: state.maintenanceReports.map((one) => ({
      ...one,
      at: by(one.at),
      message: messageOf(one.message, by),
    })),
    reboots: all(state.reboots, (one) => notAhead(one, now)),
    pause:
      state.pause === null
        ? null
        : { since: by(state.pause.since), until: ahead(state.pause.since, state.pause.until) },
    deferredUntil: maybe(state.deferredUntil),
  }
}

type By = (at: number) => number
type Maybe = (at: number | null) => number | null
/** Returns the end of a span that began at `at`. */
type Ahead = (at: number, until: number) => number

type Reboot = (reboot: Expected) => Expected

/** `awaited`, `over`: the reboot of a drop that is not alerted yet, and of a member of an incident. */
function dropOf(drop: Drop, by: (time: EventTime) => EventTime, awaited: Reboot, over: Reboot): Drop {
  if (drop.kind === 'suspect')
    return { ...drop, ...by(drop), expected: drop.expected && awaited(drop.expected), isBlocked: false }
  const member = { ...by(drop), lastDrop: drop.lastDrop && by(drop.lastDrop) }
  switch (drop.kind) {
    case 'down':
      return { ...drop, ...member, expected: drop.expected && over(drop.expected) }
    case 'recovered':
      return { ...drop, ...member, back: by(drop.back) }
    case 'recovering':
      return {
        ...drop,
        ...member,
        back: by(drop.back),
        expected: drop.expected && over(drop.expected),
        isBlocked: false,
      }
    case 'flapping':
      return {
        ...drop,
        ...member,
        back: drop.back && by(drop.back),
        expected: drop.expected && awaited(drop.expected),
        isBlocked: false,
      }
    default:
      return assertNever(drop)
  }
}

function incidentOf(one: Incident, by: By, maybe: Maybe, ahead: Ahead): Incident {
  const { extent, recovery, operator, delivery } = one
  return {
    ...one,
    openedAt: by(one.openedAt),
    grewAt: by(one.grewAt),
    changedAt: by(one.changedAt),
    closedAt: maybe(one.closedAt),
    message: messageOf(one.message, by),
    extent: extentOf(extent, by, maybe),
    largest: one.largest && largestOf(one.largest, by, maybe),
    recovery: { ...recovery, last: recovery.last && { from: by(recovery.last.from), at: by(recovery.last.at) } },
    operator: operatorOf(operator, by, ahead),
    delivery: {
      ...delivery,
      notifiedAt: maybe(delivery.notifiedAt),
      recoveryNotifiedAt: maybe(delivery.recoveryNotifiedAt),
      reason: delivery.reason && { ...delivery.reason, at: by(delivery.reason.at) },
    },
  }
}

const operatorOf = (
  { acknowledged, snoozed, assigned }: Incident['operator'],
  by: By,
  ahead: Ahead,
): Incident['operator'] => ({
  acknowledged: acknowledged && { ...acknowledged, at: by(acknowledged.at) },
  snoozed: snoozed && {
    ...snoozed,
    at: by(snoozed.at),
    until: snoozed.until === null ? null : ahead(snoozed.at, snoozed.until),
  },
  assigned: assigned && { ...assigned, at: by(assigned.at) },
})

const extentOf = <One extends Largest['extent']>(one: One, by: By, maybe: Maybe): One => ({
  ...one,
  since: maybe(one.since),
  foundAt: maybe(one.foundAt),
  ...(one.reboots !== undefined && { reboots: rebootsOf(one.reboots, by) }),
})

const rebootsOf = (one: Reboots, by: By): Reboots => ({ ...one, from: by(one.from), until: by(one.until) })

const largestOf = (one: Largest, by: By, maybe: Maybe): Largest => ({
  ...one,
  extent: extentOf(one.extent, by, maybe),
  message: messageOf(one.message, by),
})

function messageOf(message: Message, by: By): Message {
  return 'headlines' in message
    ? { ...message, headlines: message.headlines.map((one) => timesOf(one, by)) }
    : timesOf(message, by)
}

function timesOf<One extends Headline>(one: One, by: By): One
function timesOf(one: Headline, by: By): Headline {
  const text = (parts: readonly (string | number)[]) =>
    parts.map((part) => (typeof part === 'number' ? by(part) : part))
  switch (one.kind) {
    case 'offline':
      return {
        ...one,
        since: one.since === null ? null : by(one.since),
        ...(one.reboots !== undefined && { reboots: rebootsOf(one.reboots, by) }),
      }
    case 'flapping':
    case 'unseen':
      return { ...one, since: one.since === null ? null : by(one.since) }
    case 'recovered':
      return { ...one, missed: one.missed && { ...one.missed, from: by(one.missed.from), until: by(one.missed.until) } }
    case 'monitoring-lost':
      return { ...one, since: by(one.since) }
    case 'text':
      return { ...one, title: text(one.title), body: text(one.body) }
    case 'maintenance': {
      const { missed } = one
      if (missed === null) return one
      const { from, until, endedAt } = missed
      return { ...one, missed: { ...missed, from: by(from), until: by(until), endedAt: by(endedAt) } }
    }
    default:
      return one
  }
}
