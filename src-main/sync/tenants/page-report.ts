import type { Fault } from '../../../src-shared/model/fault.ts'
import { redacted } from '../../api/classify.ts'
import type { Page } from './pages.ts'

/** Reports the devices that the pages of a sync left out. */
export interface PageReport {
  add(page: Pick<Page, 'devices' | 'totalCount' | 'partial' | 'failures' | 'unreadable' | 'cut' | 'errors'>): void
  /** Returns whether every device was listed. A failed field keeps its former value and is no missing device. */
  whole(): boolean
  /**
   * Returns as text what shows after the last page that devices were missed; null: nothing. Where the order changes
   * between two pages, one device occurs twice and another one never. `before`: devices of pages of an earlier part of
   * this sync. `first`: the previous sync. Where the service names no total, both syncs brought the same devices, and
   * each page only began where the previous one ended, pages overlap and nothing is missing.
   */
  missed(before: number, first?: PageReport | null): string | null
  ids(): ReadonlySet<string>
  /**
   * Returns whether each repeated device stood at the end of one page and at the beginning of the next, in either
   * direction.
   */
  overlaps(): boolean
  /** Returns whether a device was on two pages. */
  hasDuplicates(): boolean
  fault(missed?: string | null): Fault | null
}

export function newReport(): PageReport {
  let whole = true
  let unreadable = 0
  let cut = false
  let text = ''
  const fields = new Map<string, number>()
  const ids = new Set<string>()
  let duplicates = 0
  let overlaps = true
  let last: string[] = []
  let total: number | null = null
  return {
    add(page) {
      whole &&= !page.partial
      const here = [...new Set(page.devices.map(({ id }) => id))]
      const again = here.filter((id) => ids.has(id))
      duplicates += again.length
      overlaps &&= again.length === 0 || isOverlap(last, here, again)
      for (const id of here) ids.add(id)
      last = here
      // A total beside an error does not count.
      if (page.failures.length === 0) total = page.totalCount ?? total
      unreadable += page.unreadable
      cut ||= page.cut
      text ||= page.failures.find(({ message }) => message !== '')?.message ?? ''
      for (const { path, message } of page.errors) {
        const field = fieldOf(path)
        if (field === null) continue
        fields.set(field, (fields.get(field) ?? 0) + 1)
        text ||= message
      }
    },
    whole: () => whole,
    hasDuplicates: () => duplicates > 0,
    ids: () => ids,
    overlaps: () => overlaps,
    missed(before, first = null) {
      const again = duplicates === 0 ? '' : `${devices(duplicates)} came twice`
      const isConfirmed = first !== null && overlaps && first.overlaps() && isSame(ids, first.ids())
      if (total === null) return again === '' || isConfirmed ? null : `${again}, and others may be missing`
      const lacking = total - before - ids.size - unreadable
      return lacking <= 0 ? null : [`${devices(lacking)} of ${total} did not come`, again].filter(Boolean).join(', ')
    },
    fault(missed = null) {
      if (whole && fields.size === 0 && missed === null) return null
      const parts = [
        ...(unreadable > 0 ? [`${devices(unreadable)} could not be read`] : []),
        ...(missed === null ? [] : [missed]),
        ...(cut ? ['the service gave no token for its next page'] : []),
        ...[...fields].map(([field, count]) => `${field} of ${devices(count)}`),
      ]
      const what = parts.length === 0 ? 'some devices could not be read' : parts.join(', ')
      return { kind: 'partial', detail: text === '' ? what : `${what}: ${redacted(text)}` }
    },
  }
}

/** Returns whether two pages overlap, in either order. Each has something new then. */
const isOverlap = (last: readonly string[], here: readonly string[], again: readonly string[]): boolean =>
  again.length < here.length &&
  (
    [
      [last.slice(-again.length), here.slice(0, again.length)],
      [last.slice(0, again.length), here.slice(-again.length)],
    ] as const
  ).some((ends) => ends.every((end) => isSame(new Set(end), new Set(again))))

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id))

const devices = (count: number): string => (count === 1 ? '1 device' : `${count} devices`)

/** Returns the device's field in the path of an error (`…, edges, 3, node, site, name`); null: none. */
function fieldOf(path: readonly (string | number)[] | null): string | null {
  const at = path?.indexOf('edges') ?? -1
  const field = at < 0 ? undefined : path?.[at + 3]
  return typeof field === 'string' ? field : null
}
