import type { Cause, Due, Notice } from './cause.ts'

/** The comparison of the notifications with the expected ones. */
export interface Verdict {
  /** Number of independent notifications, and of those that replaced one. */
  notices: number
  updates: number
  /** Notifications without a cause, or repeated ones. */
  wrong: Notice[]
  /** Expected notifications that are missing. */
  missing: { cause: Cause; due: Due }[]
  /** Number of expected notifications. */
  required: number
}

/**
 * Judges notifications. One is right when at least one due and open expectation has its kind and shares a device with
 * it. It fulfils all such expectations: a digest reports several at once. A replacement is no second notification, and
 * can fulfil expectations too.
 */
export function judge(causes: readonly Cause[], notices: readonly Notice[]): Verdict {
  const open = causes.flatMap((cause) => cause.due.map((due) => ({ cause, due, met: false })))
  const wrong: Notice[] = []
  const seen = new Set<string>()
  for (const notice of notices.toSorted((a, b) => a.at - b.at)) {
    const fulfilled = open.filter((each) => !each.met && fits(each.cause, each.due, notice))
    for (const each of fulfilled) each.met = true
    if (fulfilled.length === 0 && !seen.has(notice.id)) wrong.push(notice)
    seen.add(notice.id)
  }
  return {
    notices: seen.size,
    updates: notices.length - seen.size,
    wrong,
    missing: open.filter(({ due, met }) => due.required && !met),
    required: open.filter(({ due }) => due.required).length,
  }
}

/** Times are reported in whole ms. */
const rounding = 1

function fits({ ids }: Cause, { kinds, from, until, general }: Due, notice: Notice): boolean {
  if (notice.at < from - rounding || notice.at > until || !kinds.has(notice.kind)) return false
  return general === true || [...notice.ids].some((id) => ids.has(id))
}
