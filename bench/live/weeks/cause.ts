/**
 * An event of a scripted week, and its expected notifications. A cause is judged by the changes of the world, never by
 * Muster's view of it.
 */
export interface Cause {
  /** A name such as "site outage". */
  sort: string
  /** Its devices. */
  ids: ReadonlySet<string>
  due: readonly Due[]
}

/** One expected notification. Times are ms since the epoch. */
export interface Due {
  what: string
  kinds: ReadonlySet<string>
  from: number
  until: number
  /** False: the notification is allowed, but not expected. */
  required: boolean
  /** True for a notification about Muster itself, or about several things at once, whatever devices it names. */
  general?: true
}

/** A notification: by Muster, or by a client that knows only events. */
export interface Notice {
  /** Equal for a notification that replaces an earlier one. */
  id: string
  at: number
  kind: string
  /** Its devices, as far as it names them. */
  ids: ReadonlySet<string>
  title: string
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/**
 * How much later than its hold-off a notification is still useful, ms: grouping, a comparison that has to end, a socket
 * that reconnects.
 */
const slack = 6 * minute
const holdOff = 1.5 * minute

const kinds = (...all: string[]): ReadonlySet<string> => new Set(all)
/** A digest may contain anything; what is found after monitoring is restored is reported with that. */
const ofDrop = kinds('offline', 'digest', 'monitoring-restored')
const ofReturn = kinds('recovered', 'digest', 'monitoring-restored')

type Seen = { from: number; until: number }

/**
 * Returns devices that drop at `from` and recover at `until`, for longer than the hold-off: one notification of the
 * drop and one of the recovery. `sees` returns when an event is first observed; both are delayed until then.
 */
export function outage(
  sort: string,
  ids: Iterable<string>,
  { from, until }: Seen,
  sees: (at: number) => number,
): Cause {
  const [down, back] = [sees(from), sees(until)]
  // Begun and over without being observed: the digest may mention it.
  if (back === down && back !== until) return { sort, ids: new Set(ids), due: [] }
  return {
    sort,
    ids: new Set(ids),
    due: [
      {
        what: 'down',
        kinds: ofDrop,
        from: down,
        until: Math.max(down + holdOff + slack, sees(down + holdOff) + slack),
        required: true,
      },
      {
        what: 'back',
        kinds: ofReturn,
        from: back,
        until: Math.max(back + holdOff + slack, sees(back + holdOff) + slack),
        required: true,
      },
    ],
  }
}

/**
 * Returns a device that flaps from `from` to `until`, each time for less than the hold-off: one notification, and
 * possibly one of its end.
 */
export function flapping(id: string, { from, until }: Seen): Cause {
  return {
    sort: 'flapping',
    ids: new Set([id]),
    due: [
      { what: 'flaps', kinds: kinds('flapping', 'digest', 'offline'), from, until: until + slack, required: true },
      { what: 'steady', kinds: kinds('recovered', 'digest'), from, until: until + 90 * minute, required: false },
    ],
  }
}

/** Returns short drops, reboots and events in a maintenance window, which need no notification. */
export const nothing = (sort: string, ids: Iterable<string>): Cause => ({ sort, ids: new Set(ids), due: [] })

/** Returns lost monitoring from `from` to `until` while the computer is awake. */
export function monitoringLoss(sort: string, { from, until }: Seen): Cause {
  return {
    sort,
    ids: new Set(),
    due: [
      { what: 'lost', kinds: kinds('monitoring-lost'), from, until: until + slack, required: true, general: true },
      {
        what: 'restored',
        kinds: kinds('monitoring-restored', 'digest', 'recovered'),
        from: until,
        until: until + slack,
        required: true,
        general: true,
      },
    ],
  }
}

/** Returns a sleep of the computer: after waking one digest may report all events. Open incidents require their own. */
export function sleep({ from, until }: Seen): Cause {
  const digest: Due = {
    what: 'digest',
    kinds: kinds('monitoring-restored', 'digest'),
    from: until,
    until: until + slack,
    required: false,
    general: true,
  }
  return { sort: `closed lid for ${Math.round((until - from) / hour)} h`, ids: new Set(), due: [digest] }
}

/** Returns a maintenance window's end: one closing report. */
export function report(at: number, ids: Iterable<string>): Cause {
  return {
    sort: 'maintenance window',
    ids: new Set(ids),
    due: [
      {
        what: 'closing report',
        kinds: kinds('digest', 'offline'),
        from: at,
        until: at + slack,
        required: true,
        general: true,
      },
    ],
  }
}
