import type { Cause, Due, Notice } from './cause.ts'

/** What was told, beside what should have been. */
export interface Verdict {
  /** Those that stood by themselves, and those that took the place of one of these. */
  notices: number
  updates: number
  /** Notices that no cause accounts for, or that say once more what was said. */
  wrong: Notice[]
  /** What had to be told and was not. */
  missing: { cause: Cause; due: Due }[]
  /** What had to be told. */
  required: number
}

/**
 * A notice is right when at least one thing that is due then, and was not told yet, is of its kind and shares a device with
 * it. It takes all such things with it: a digest tells several at once. What only takes the place of a notice is no second
 * one; what is due may be told by it as well.
 */
export function judge(causes: readonly Cause[], notices: readonly Notice[]): Verdict {
  const open = causes.flatMap((cause) => cause.due.map((due) => ({ cause, due, told: false })))
  const wrong: Notice[] = []
  const seen = new Set<string>()
  for (const notice of notices.toSorted((a, b) => a.at - b.at)) {
    const met = open.filter((each) => !each.told && fits(each.cause, each.due, notice))
    for (const each of met) each.told = true
    if (met.length === 0 && !seen.has(notice.id)) wrong.push(notice)
    seen.add(notice.id)
  }
  return {
    notices: seen.size,
    updates: notices.length - seen.size,
    wrong,
    missing: open.filter(({ due, told }) => due.required && !told),
    required: open.filter(({ due }) => due.required).length,
  }
}

/** Moments are told in whole ms. */
const rounding = 1

function fits({ ids }: Cause, { kinds, from, until, general }: Due, notice: Notice): boolean {
  if (notice.at < from - rounding || notice.at > until || !kinds.has(notice.kind)) return false
  return general === true || [...notice.ids].some((id) => ids.has(id))
}
