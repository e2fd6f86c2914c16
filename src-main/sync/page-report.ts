import type { Fault } from '../../src-shared/fault.ts'
import { redacted } from '../api/classify.ts'
import type { Page } from './pages.ts'

/** What the pages of a reading left out, for whoever is told of it. */
export interface PageReport {
  look(page: Pick<Page, 'devices' | 'totalCount' | 'partial' | 'failures' | 'unreadable' | 'cut' | 'errors'>): void
  /** Whether every device was listed. A single field that failed keeps its former value, and is no device that is missing. */
  whole(): boolean
  /**
   * What shows, after the last page, that devices were missed, in words; null: nothing. Where the order changes between two pages a device
   * comes twice and another one never. `before`: devices of pages that an earlier part of this reading has brought.
   */
  missed(before: number): string | null
  /** Whether a device has come on two pages. */
  hasTwice(): boolean
  fault(missed?: string | null): Fault | null
}

export function newReport(): PageReport {
  let whole = true
  let unreadable = 0
  let cut = false
  let said = ''
  const fields = new Map<string, number>()
  const ids = new Set<string>()
  let twice = 0
  let total: number | null = null
  return {
    look(page) {
      whole &&= !page.partial
      const here = new Set(page.devices.map(({ id }) => id))
      for (const id of here) {
        if (ids.has(id)) twice += 1
        ids.add(id)
      }
      // A figure beside an error is none.
      if (page.failures.length === 0) total = page.totalCount ?? total
      unreadable += page.unreadable
      cut ||= page.cut
      said ||= page.failures.find(({ message }) => message !== '')?.message ?? ''
      for (const { path, message } of page.errors) {
        const field = fieldOf(path)
        if (field === null) continue
        fields.set(field, (fields.get(field) ?? 0) + 1)
        said ||= message
      }
    },
    whole: () => whole,
    hasTwice: () => twice > 0,
    missed(before) {
      const again = twice === 0 ? '' : `${devices(twice)} came twice`
      if (total === null) return again === '' ? null : `${again}, and others may be missing`
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
      return { kind: 'partial', detail: said === '' ? what : `${what}: ${redacted(said)}` }
    },
  }
}

const devices = (count: number): string => (count === 1 ? '1 device' : `${count} devices`)

/** The device's field in the path of an error (`…, edges, 3, node, site, name`). */
function fieldOf(path: readonly (string | number)[] | null): string | null {
  const at = path?.indexOf('edges') ?? -1
  const field = at < 0 ? undefined : path?.[at + 3]
  return typeof field === 'string' ? field : null
}
