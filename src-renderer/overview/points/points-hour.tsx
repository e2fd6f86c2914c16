import { useState } from 'react'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import { ActivityTable } from '../../app/gauge/activity-table.tsx'
import { LaneName } from '../../app/gauge/lane-name.tsx'
import { partyLabels } from '../../lib/format/points.ts'
import { clockTime } from '../../lib/format/time.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { activitiesOf } from '../../lib/format/operations.ts'
import type { Last } from '../../lib/hooks/use-last.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { Select } from '../../lib/ui/select.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'
import { HourChart } from './hour-chart.tsx'
import { byNeed, hourText, minuteMs, minutesShown, parties, pointsOf, type SetHour, usedIn } from './hour.ts'

const forms = [
  { value: 'chart', word: 'Chart' },
  { value: 'table', word: 'Table' },
] as const

/** The points of the last hour by what used them, for one credential set at a time: at first the one that needs a look most. */
export function PointsHour({ hours: { value: sets, fault }, coreLost }: { hours: Last<SetHour[]>; coreLost: boolean }) {
  const { times } = useSettings()
  const [chosen, setChosen] = useState<string | null>(null)
  const [form, setForm] = useState<'chart' | 'table'>('chart')
  const sorted = byNeed(sets ?? [])
  const hour = sorted.find((each) => keyOf(each) === chosen) ?? sorted[0]
  if (hour === undefined)
    return (
      <Panel title="Points">
        <p className="overview-empty" role={fault === null ? 'status' : 'alert'}>
          {fault !== null ? faultSentence(fault) : sets === null ? 'Loading…' : 'No connections'}
        </p>
      </Panel>
    )
  return (
    <Panel
      title="Points"
      note={`${spanText(hour, times)}${coreLost ? ', as last known' : ''}`}
      className="overview-hour"
      tools={
        <>
          {sorted.length > 1 && (
            <Select
              label="Connection"
              value={keyOf(hour)}
              options={sorted.map((each) => ({ value: keyOf(each), word: each.name }))}
              onChange={setChosen}
            />
          )}
          <Choice label="Show points as" value={form} options={forms} onChange={setForm} />
        </>
      }
    >
      <p className="hour-sum">{hourText(hour, times)}</p>
      <div className="hour-parts">
        {form === 'chart' ? (
          <div>
            <HourChart hour={hour} times={times} />
            <Legend hour={hour} />
          </div>
        ) : (
          <Minutes hour={hour} />
        )}
        <Activities hour={hour} />
      </div>
    </Panel>
  )
}

/** The connections of a credential set tell it apart. */
const keyOf = ({ connections }: SetHour): string => connections.join(' ')

/** A run that is shorter than an hour says since when it counts. */
function spanText({ from, until }: SetHour, times: Parameters<typeof clockTime>[2]): string {
  const isWhole = until - from >= (minutesShown - 1) * minuteMs
  return isWhole ? 'last hour' : `since ${clockTime(from, until, times).slice(0, -3)}, when Muster started`
}

function Legend({ hour }: { hour: SetHour }) {
  const used = parties.filter((party) => hour.minutes.some((minute) => pointsOf(minute, party) > 0))
  return (
    <ul className="hour-legend">
      {used.map((party) => (
        <li key={party}>
          <LaneName lane={party} />
        </li>
      ))}
      {hour.minutes.some(({ rejected }) => rejected > 0) && (
        <li className="lane-name">
          <span className="lane-sign hour-rejected-sign" aria-hidden />
          Rejected
        </li>
      )}
    </ul>
  )
}

/** Activities that are shown; the file has all minutes. */
const shownAtMost = 8

function Activities({ hour }: { hour: SetHour }) {
  const all = activitiesOf(hour)
  const others = hour.minutes.reduce((sum, minute) => sum + minute.others, 0)
  if (all.length === 0 && others === 0) return <p className="overview-empty">No query was charged</p>
  return <ActivityTable label="Points by activity, last hour" activities={all} atMost={shownAtMost} others={others} />
}

/** The minutes in which something happened, the newest first. */
function Minutes({ hour }: { hour: SetHour }) {
  const { times } = useSettings()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div className="hour-table-box" tabIndex={0} role="region" aria-label="Points by minute">
      <table className="overview-table">
        <thead>
          <tr>
            <th scope="col">Minute</th>
            <th scope="col" className="number">
              Used
            </th>
            {parties.map((party) => (
              <th key={party} scope="col" className="number">
                {partyLabels[party]}
              </th>
            ))}
            <th scope="col" className="number">
              Lowest balance
            </th>
            <th scope="col" className="number">
              Rejected
            </th>
          </tr>
        </thead>
        <tbody>
          {hour.minutes.toReversed().map((minute) => (
            <tr key={minute.at}>
              <th scope="row">{clockTime(minute.at, hour.until, times).slice(0, -3)}</th>
              <td className="number">{numberText(usedIn(minute))}</td>
              {parties.map((party) => (
                <td key={party} className="number">
                  {numberText(pointsOf(minute, party))}
                </td>
              ))}
              <td className="number">{minute.lowest === null ? '–' : numberText(minute.lowest)}</td>
              <td className="number">{numberText(minute.rejected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
