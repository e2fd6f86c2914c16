import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { shareText } from '../../incidents/availability/format.ts'
import { ticksOf } from '../../incidents/availability/ticks.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'
import { showPlace } from './shown-place.ts'

type Hours = NonNullable<CallOutput<'overview.place'>['history']>['hours']
type Line = Hours['lines'][number]

const hourMs = 3_600_000

export const hoursTitle = (kind: 'site' | 'room'): string => (kind === 'site' ? 'Sites by hour' : 'Rooms by hour')

/** The last 24 hours of the places next below, hour by hour: as high as the share offline, hatched where nothing is known. */
export function HeatMap({ hours: { from, lines, leftOut }, kind }: { hours: Hours; kind: 'site' | 'room' }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const open = (id: string) =>
    kind === 'site' ? showPlace(session, id) : session.open({ scope: id, filter: '', device: null })
  return (
    <Panel title={hoursTitle(kind)} note="last 24 hours, most offline first" className="heat-map">
      {lines.length === 0 ? (
        <p className="overview-empty">No devices are known here</p>
      ) : (
        <ul className="heat-lines">
          {lines.map((line) => (
            <li key={line.id}>
              <button type="button" className="overview-link clip" onClick={() => open(line.id)}>
                <NameText name={line.name} clip />
              </button>
              <span className="heat-cells" role="img" aria-label={lineText(line, from, times)}>
                {line.up.map((up, hour) => (
                  <Cell key={hour} up={up} down={line.down[hour] ?? 0} title={hourText(line, from, hour, times)} />
                ))}
              </span>
            </li>
          ))}
          <li className="heat-scale" aria-hidden="true">
            <span />
            <span className="heat-ticks">
              {ticksOf(from, from + 24 * hourMs, times).map(({ share, word }) => (
                <span key={share} className="timeline-tick" style={{ insetInlineStart: `${share * 100}%` }}>
                  {word}
                </span>
              ))}
            </span>
          </li>
        </ul>
      )}
      {leftOut > 0 && <p className="overview-more">{numberText(leftOut)} more were offline for less time</p>}
    </Panel>
  )
}

/** An hour without any data is hatched. */
const isUnknown = (up: number, down: number): boolean => up + down < 0.005

function Cell({ up, down, title }: { up: number; down: number; title: string }) {
  return (
    <span className="heat-cell" data-unknown={isUnknown(up, down)} title={title}>
      <span style={{ blockSize: `${down === 0 ? 0 : Math.max(12, down * 100)}%` }} />
    </span>
  )
}

function hourText({ up, down }: Line, from: number, hour: number, times: Times): string {
  const begin = from + hour * hourMs
  const when = `${shortTime(begin, from + 24 * hourMs, times)} to ${shortTime(begin + hourMs, from + 24 * hourMs, times)}`
  const [online = 0, offline = 0] = [up[hour], down[hour]]
  if (isUnknown(online, offline)) return `${when}: no data`
  const unknown = Math.max(0, 1 - online - offline)
  return `${when}: ${shareText(offline, 1)} offline${unknown > 0.005 ? `, ${shareText(unknown, 1)} no data` : ''}`
}

function lineText(line: Line, from: number, times: Times): string {
  const most = line.down.reduce((worst, share, hour) => (share > (line.down[worst] ?? 0) ? hour : worst), 0)
  const text = (line.down[most] ?? 0) === 0 ? 'never offline' : `most offline ${hourText(line, from, most, times)}`
  const without = line.up.filter((up, hour) => isUnknown(up, line.down[hour] ?? 0)).length
  return `${many(line.devices, 'device')}, ${text}${without > 0 ? `, ${many(without, 'hour')} without data` : ''}`
}
