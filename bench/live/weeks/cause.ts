/**
 * What happens in a scripted week, and what an operator should hear of it. A cause is judged by what was done to the world,
 * never by what Muster made of it.
 */
export interface Cause {
  /** "site outage". */
  sort: string
  /** Devices that it concerns. */
  ids: ReadonlySet<string>
  due: readonly Due[]
}

/** One notice that is right. Times are ms since the epoch. */
export interface Due {
  what: string
  kinds: ReadonlySet<string>
  from: number
  until: number
  /** False: it may be told, and need not. */
  required: boolean
  /** About Muster itself, or all that came together: whatever devices it names. */
  general?: true
}

/** What somebody was told: by Muster, or by a client that knows nothing but events. */
export interface Notice {
  /** The same for a notice that takes the place of an earlier one. */
  id: string
  at: number
  kind: string
  /** The devices that it is about, as far as it says so. */
  ids: ReadonlySet<string>
  title: string
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/**
 * How much later than its hold-off a notice still helps: what gathers, what waits for a comparison to end, a socket that
 * comes back.
 */
const slack = 6 * minute
const holdOff = 1.5 * minute

const kinds = (...all: string[]): ReadonlySet<string> => new Set(all)
/** A digest may say anything; what is found when Muster sees again is said with that. */
const ofDrop = kinds('offline', 'digest', 'monitoring-restored')
const ofReturn = kinds('recovered', 'digest', 'monitoring-restored')

type Seen = { from: number; until: number }

/**
 * Devices that go down at `from` and are back at `until`, for longer than the hold-off: told once, and that they are back
 * once. `sees` is when somebody sees of it first; both are held up until then.
 */
export function outage(
  sort: string,
  ids: Iterable<string>,
  { from, until }: Seen,
  sees: (at: number) => number,
): Cause {
  const [down, back] = [sees(from), sees(until)]
  // Begun and over while nobody saw it: the digest may speak of it.
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

/** Comes and goes from `from` to `until`, each time for less than the hold-off: that it does is told once, and its end may be. */
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

/** Short drops, reboots, what goes on in a maintenance window: nothing of it is worth a word. */
export const nothing = (sort: string, ids: Iterable<string>): Cause => ({ sort, ids: new Set(ids), due: [] })

/** Muster itself sees nothing from `from` to `until`, and is awake. */
export function blindness(sort: string, { from, until }: Seen): Cause {
  return {
    sort,
    ids: new Set(),
    due: [
      { what: 'blind', kinds: kinds('monitoring-lost'), from, until: until + slack, required: true, general: true },
      {
        what: 'sees again',
        kinds: kinds('monitoring-restored', 'digest', 'recovered'),
        from: until,
        until: until + slack,
        required: true,
        general: true,
      },
    ],
  }
}

/** The computer slept: on waking one digest may tell of all that happened. That something stands open is required by what does. */
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

/** A maintenance window's end: one closing report. */
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
