import type { Request } from './messages.ts'

type Call = Request['call']

/** A person waits for these, and they change nothing. */
const asked: ReadonlySet<Call> = new Set<Call>([
  'rows',
  'locate',
  'counts',
  'connectionCounts',
  'tree',
  'places',
  'device',
  'totals',
  'values',
  'keys',
  'hidden',
  'exportPart',
  'closedIncidents',
  'storedIncident',
  'incidentMembers',
  'longStanding',
  'strip',
])

/** What services tell, and what follows from it: as much as they like to tell. */
const told: ReadonlySet<Call> = new Set<Call>([
  'events',
  'reading',
  'page',
  'extras',
  'unheard',
  'keepAlerts',
  'whereabouts',
])

/** The requests that wait for the data thread. */
export interface Line {
  add(request: Request): void
  /**
   * The next to answer; null when none waits. In order, but what a person waits for goes before what services tell: then its
   * answer is of the revision before that. It overtakes nothing else, so that whoever changes something sees it changed.
   */
  next(): Request | null
}

export function createLine(): Line {
  const waiting: Request[] = []
  return {
    add: (request) => void waiting.push(request),
    next() {
      const other = waiting.findIndex(({ call }) => !told.has(call))
      const first = other >= 0 && asked.has(waiting[other]?.call ?? 'close') ? other : 0
      return waiting.splice(first, 1)[0] ?? null
    },
  }
}
