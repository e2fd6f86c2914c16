import { useSyncExternalStore } from 'react'
import type { Occurrence, MaintenanceWindow } from '../../../src-shared/maintenance/maintenance.ts'
import { useAppContext } from '../../lib/context.ts'
import { type Draft, maintenanceOf } from './draft.ts'
import type { PolicyEditor } from '../policy-editor.ts'
import { wholeFleet } from '../place/place.ts'
import { useClocks } from '../use-policies.ts'
import { bothSpans } from '../format.ts'

/** The next three occurrences of the input, in its zone and in the operator's. */
export function NextTimes({ draft, zone }: { draft: Draft; zone: string | null }) {
  const { policyEditor, ticker } = useAppContext()
  const clocks = useClocks()
  const minute = useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / 60_000))
  const now = Math.max(minute * 60_000, clocks.now)
  const { window } = maintenanceOf(
    { ...draft, name: 'any', place: draft.place ?? wholeFleet },
    { id: 'preview', before: null, zone, zones: policyEditor.zones, maintenance: policyEditor.maintenance, now },
  )
  const times = window === null || zone === null ? [] : nextThree(policyEditor, window, zone, now)
  return (
    <section className="next-times" aria-label="Next times">
      <h3>Next times</h3>
      {times.length === 0 ? (
        <p className="hint">
          {zone === null
            ? 'Choose the time zone to see them there and in yours.'
            : 'They appear when the schedule is complete.'}
        </p>
      ) : (
        <ol>
          {times.map((occurrence) => {
            const { there, here } = bothSpans({ ...clocks, now }, zone ?? clocks.own, occurrence)
            return (
              <li key={occurrence.from}>
                <span className="next-there">
                  {there}
                  {occurrence.from <= now && <strong> from now on</strong>}
                </span>
                {here !== null && <span className="next-here">{here}</span>}
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}

/** Includes the active occurrence. */
function nextThree(
  { maintenance }: PolicyEditor,
  window: MaintenanceWindow,
  zone: string,
  now: number,
): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (
    let next = maintenance.occurrenceAt(window, zone, now) ?? maintenance.nextOccurrence(window, zone, now);
    next !== null && found.length < 3;
    next = maintenance.nextOccurrence(window, zone, next.until - 1)
  )
    found.push(next)
  return found
}
