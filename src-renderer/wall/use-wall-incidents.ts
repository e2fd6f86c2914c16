import { useEffect, useMemo, useState } from 'react'
import type { Answer } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'
import { useAppContext } from '../lib/context.ts'
import type { Session } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { readOpenIncidents } from '../overview/incidents/use-open-incidents.ts'
import { bySeverity, byWorst } from '../overview/incidents/timeline.ts'
import type { MapQuery } from '../overview/map/use-map.ts'
import { useLast } from '../lib/hooks/use-last.ts'

/** How long (ms) an incident that ended stays, as recovered. */
const staysFor = 60_000
/** Incidents of one call (contract: incidents.matching). */
const atOnce = 1000

export interface WallIncidents {
  /** Open ones, the worst first; null before they are known. */
  open: readonly Incident[] | null
  /** Why they are not known. */
  fault: Fault | null
  /** Those that ended within the last minute while they were shown. */
  ended: readonly Incident[]
}

/** Returns the open incidents of the devices that match the query, or all. */
export function useWallIncidents(coreLost: boolean, query: MapQuery | null): WallIncidents {
  const { session } = useAppContext()
  const rev = useStore(session.state, ({ app }) => app?.incidents.rev ?? 0)
  const key = `wall ${query?.scope} ${query?.filter}`
  const { value: open, fault } = useLast(`${key} ${rev} ${coreLost}`, () => readMatching(session, query))
  return { open, fault, ended: useEnded(open) }
}

/** By severity, then by devices, then the latest first: a wall has room for the largest ones only. */
const byLargest = (one: Incident, other: Incident): number =>
  bySeverity(one, other) || other.devices.down - one.devices.down || byWorst(one, other)

async function readMatching(session: Session, query: MapQuery | null): Promise<Answer<readonly Incident[]>> {
  const answer = await readOpenIncidents(session)
  if (!answer.ok) return answer
  const all = answer.value.incidents.toSorted(byLargest)
  if (query === null) return { ok: true, value: all }
  const matching = new Set<string>()
  for (let start = 0; start < all.length; start += atOnce) {
    const ids = all.slice(start, start + atOnce).map(({ id }) => id)
    const found = await session.pipe.call('incidents.matching', { ids, query })
    if (!found.ok) return found
    for (const id of found.value.ids) matching.add(id)
  }
  return { ok: true, value: all.filter(({ id }) => matching.has(id)) }
}

/** Returns those that were open before and have ended since; one that became part of another has not. */
function useEnded(open: readonly Incident[] | null): readonly Incident[] {
  const { session, ticker } = useAppContext()
  const [before, setBefore] = useState(open)
  const [gone, setGone] = useState<readonly string[]>([])
  const [ended, setEnded] = useState<readonly { incident: Incident; at: number }[]>([])
  if (open !== before) {
    setBefore(open)
    const present = new Set(open?.map(({ id }) => id))
    setGone((before ?? []).flatMap(({ id }) => (present.has(id) ? [] : [id])))
    setEnded(ended.filter(({ incident }) => !present.has(incident.id)))
  }
  useEffect(() => {
    if (gone.length === 0) return
    void Promise.all(gone.map((id) => session.pipe.call('incidents.show', { id }))).then((answers) => {
      const shown = answers.flatMap((answer) => (answer.ok ? (answer.value.shown?.incident ?? []) : []))
      const at = ticker.exact()
      setEnded((last) => [
        ...shown.filter(({ closedAt }) => closedAt !== null).map((incident) => ({ incident, at })),
        ...last,
      ])
    })
  }, [gone, session, ticker])
  useEffect(
    () =>
      ticker.subscribe(() =>
        setEnded((last) => {
          const kept = last.filter(({ at }) => ticker.now() - at < staysFor)
          return kept.length === last.length ? last : kept
        }),
      ),
    [ticker],
  )
  return useMemo(() => ended.map(({ incident }) => incident), [ended])
}
