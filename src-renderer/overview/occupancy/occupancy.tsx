import { Button } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Occupied, OccupancySource } from '../../../src-shared/contract/occupancy-calls.ts'
import { explain, faultSentence } from '../../../src-shared/model/fault.ts'
import { isolated } from '../../../src-shared/text/direction.ts'
import { type AppContext, useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'
import { useStore } from '../../lib/store.ts'
import type { Last } from '../../lib/hooks/use-last.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Age } from '../../lib/ui/moment.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { showRejection } from '../../settings/change-settings.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { SharedMark } from '../../team/shared-mark.tsx'
import { readElsewhereTexts } from '../../team/words.ts'
import { dataSince, extremesOf, type Line } from '../numbers/fleet-day.ts'
import { Sparkline } from '../numbers/sparkline.tsx'
import { Panel } from '../panel.tsx'

export type Occupancy = CallOutput<'occupancy.read'>

interface Props {
  occupancy: Last<Occupancy>
  coreLost: boolean
}

/** The rooms in use now and over a day, where the service streams people counts. */
export function OccupancyPanel({ occupancy: { value, fault }, coreLost }: Props) {
  const context = useAppContext()
  const connections = useStore(context.session.state, ({ app }) => app?.connections) ?? none
  if (value === null)
    return (
      <Panel title="Occupancy">
        <p className="overview-empty" role={fault === null ? 'status' : 'alert'}>
          {fault === null ? 'Loading…' : faultSentence(fault)}
        </p>
      </Panel>
    )
  const words = absentText(value.sources, connections)
  const isShown = value.on && words === null
  return (
    <Panel
      title="Occupancy"
      note={isShown ? `people counts of ${many(value.now.rooms, 'room')}${coreLost ? ', as last known' : ''}` : ''}
      className="overview-occupancy"
      tools={
        words === null && (
          <>
            <SharedMark className="overview-panel-note" />
            <Button
              className={value.on ? 'button subtle' : 'button'}
              isDisabled={coreLost}
              onPress={() => void streamPeopleCounts(context, !value.on)}
            >
              {value.on ? 'Stop streaming' : 'Stream people counts'}
            </Button>
          </>
        )
      }
    >
      {words !== null ? (
        <p className="overview-empty">{words}</p>
      ) : value.on ? (
        <Streamed occupancy={value} />
      ) : (
        <p className="overview-empty">{offText(value.sources)}</p>
      )}
    </Panel>
  )
}

/** Switches the people counts on or off. The panel shows what the core does, so nothing is shown before its answer. */
export async function streamPeopleCounts(
  { session, deviceActions }: Pick<AppContext, 'session' | 'deviceActions'>,
  on: boolean,
): Promise<void> {
  showRejection({ deviceActions }, await session.pipe.call('settings.change', { occupancy: on }))
}

const none: readonly never[] = []

/** Returns why there is nothing to stream; null where there may be. */
function absentText(
  sources: readonly OccupancySource[],
  connections: Parameters<typeof readElsewhereTexts>[0],
): string | null {
  const elsewhere = readElsewhereTexts(connections, 'people counts are streamed and shown there alone')
  if (sources.length === 0 && elsewhere.length > 0) return elsewhere.join(' ')
  if (sources.length === 0) return 'Nothing is known yet: no running connection has read what its service offers.'
  if (sources.some(({ offer }) => offer !== 'absent')) return null
  return sources.length === 1
    ? 'The service does not offer people counts (peopleCountStream).'
    : 'None of the services offers people counts (peopleCountStream).'
}

function offText(sources: readonly OccupancySource[]): string {
  const able = sources.filter(({ offer }) => offer !== 'absent')
  const unknown = able.every(({ offer }) => offer === 'unknown')
  const names = able.map(({ name }) => isolated(name)).join(', ')
  const what = unknown ? 'may offer' : able.length === 1 ? 'offers' : 'offer'
  return `${names} ${what} people counts of rooms. Muster opens one subscription for each tenant, at most 20 for each connection; the service may require a plan for them.`
}

function Streamed({ occupancy: { now, tenants, fullest, day, sources } }: { occupancy: Occupancy }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const line = { from: day.from, until: day.until, values: day.inUse }
  const openPlace = (scope: string) => session.open({ scope, filter: '', device: null })
  return (
    <>
      <Troubles sources={sources} />
      <div className="occupancy-parts">
        <div>
          <p className="occupancy-now">
            <b>{numberText(now.inUse)}</b> of {many(now.known, 'known room')} in use ·{' '}
            {many(now.people, 'person', 'people')}
          </p>
          <div className="occupancy-day">
            <Sparkline line={line} tone="good" fromZero label={dayText(line, times)} />
          </div>
          <p className="overview-panel-note">{dayText(line, times)}</p>
          <p className="overview-panel-note">
            A room is known from its first change on: the service sends changes only. After a gap it is unknown again.
          </p>
        </div>
        <Tenants tenants={tenants} onOpen={openPlace} />
        <Fullest rooms={fullest} onOpen={openPlace} />
      </div>
    </>
  )
}

/** What keeps counts from being read. */
function Troubles({ sources }: { sources: readonly OccupancySource[] }) {
  const lines = sources.flatMap(({ id, name, offer, leftOut, fault, streams }) => [
    ...(fault === null
      ? []
      : [{ id, words: `${isolated(name)}: ${explain(fault).title}${fault.detail === '' ? '' : ` ${fault.detail}`}` }]),
    ...(leftOut === 0
      ? []
      : [
          {
            id: `${id} left`,
            words: `${isolated(name)}: ${many(leftOut, 'tenant')} with fewer rooms are not streamed, or not whole. A connection has at most 20 subscriptions of 500 rooms.`,
          },
        ]),
    ...(offer === 'absent' || streams > 0 || fault !== null
      ? []
      : [{ id: `${id} none`, words: `${isolated(name)}: no rooms are known.` }]),
  ])
  if (lines.length === 0) return null
  return (
    <ul className="occupancy-troubles">
      {lines.map(({ id, words }) => (
        <li key={id}>{words}</li>
      ))}
    </ul>
  )
}

/** Returns for example "Rooms in use, last 24 hours: 14 now, 31 at most (10:15)". */
export function dayText(line: Line, times: Times): string {
  const [found, since] = [extremesOf(line), dataSince(line)]
  if (found === null || since === null) return 'No room has been known for a time yet.'
  const at = (time: number) => shortTime(time, line.until, times)
  return `Rooms in use since ${at(since)}: at most ${numberText(found.high.value)} (${at(found.high.at)}), last ${numberText(found.last)}.`
}

interface ListProps {
  onOpen: (id: string) => void
}

function Tenants({ tenants, onOpen }: ListProps & { tenants: Occupancy['tenants'] }) {
  return (
    <div className="overview-table-box">
      <table className="overview-table" aria-label="Rooms in use by tenant">
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col" className="number">
              In use
            </th>
            <th scope="col" className="number">
              Known
            </th>
            <th scope="col" className="number">
              Rooms
            </th>
            <th scope="col" className="number">
              People
            </th>
          </tr>
        </thead>
        <tbody>
          {tenants
            .toSorted(byUse)
            .slice(0, shownAtMost)
            .map(({ id, name, rooms, known, inUse, people }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" className="overview-link" onClick={() => onOpen(id)}>
                    <NameText name={name} clip />
                  </button>
                </th>
                <td className="number">{numberText(inUse)}</td>
                <td className="number">{numberText(known)}</td>
                <td className="number">{numberText(rooms)}</td>
                <td className="number">{numberText(people)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {tenants.length > shownAtMost && (
        <p className="overview-more">{numberText(tenants.length - shownAtMost)} more tenants</p>
      )}
    </div>
  )
}

const shownAtMost = 10
const byUse = (one: Occupied, other: Occupied): number => other.inUse - one.inUse || other.rooms - one.rooms

function Fullest({ rooms, onOpen }: ListProps & { rooms: Occupancy['fullest'] }) {
  if (rooms.length === 0) return <p className="overview-empty">No known room is in use</p>
  return (
    <div className="overview-table-box">
      <table className="overview-table" aria-label="Rooms with the most people">
        <thead>
          <tr>
            <th scope="col">Room</th>
            <th scope="col">In</th>
            <th scope="col" className="number">
              People
            </th>
            <th scope="col" className="number">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {rooms.map(({ id, name, site, tenant, capacity, count, at }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" className="overview-link" onClick={() => onOpen(id)}>
                  <NameText name={name} clip />
                </button>
              </th>
              <td>
                <Isolated className="clip">{[site, tenant].filter((part) => part !== '').join(' · ')}</Isolated>
              </td>
              <td className="number">
                {numberText(count)}
                {capacity !== null && <span className="muted-text"> of {numberText(capacity)}</span>}
              </td>
              <td className="number occupancy-since">
                <Age at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
