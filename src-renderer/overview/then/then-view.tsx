import { History } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { TileKind } from '../../../src-shared/contract/overview-calls.ts'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import { shareText } from '../../incidents/availability/format.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { fullTime, span } from '../../lib/format/time.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { LinkButton } from '../../lib/ui/buttons/link-button.tsx'
import { Choice } from '../../lib/ui/choice.tsx'
import { DeviceLink } from '../../lib/ui/buttons/device-link.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { afterFrames } from '../../lib/ui/focus.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { mapForms, tileKinds } from '../map/fleet-map.tsx'
import { Legend } from '../map/legend.tsx'
import { MapCanvas } from '../map/map-canvas.tsx'
import { MapTable } from '../map/map-table.tsx'
import { Panel } from '../panel.tsx'
import { DevicesThen } from './devices-then.tsx'
import { hourMs, showPast, type ThenPlace, thenPlace, thenTime } from './then-time.ts'
import { ThenTree } from './then-tree.tsx'
import { TimeBar } from './time-bar.tsx'
import { type Past, useThen } from './use-then.ts'

/** The fleet as Muster knew it at a past time. Nothing can be acted on here. */
export function ThenView({ at, coreLost }: { at: number; coreLost: boolean }) {
  const [tiles, setTiles] = useState<TileKind>('site')
  const [form, setForm] = useState<(typeof forms)[number]['value']>('map')
  const place = useStore(thenPlace)
  const setPlace = (id: string) => thenPlace.set(past === null ? null : { id, name: nameOf(past, id) })
  const { state, isCurrent } = useThen({ at, tiles, place: place?.id ?? null, coreLost })
  const past = state.state === 'shown' ? state.past : null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the past from anywhere in it
    <div
      className="screen overview then-view"
      id="overview"
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && backToNow()}
    >
      <Band at={past?.told.at ?? at} isCurrent={isCurrent} />
      <TimeBar at={at} isCurrent={isCurrent} />
      {past === null ? (
        <p className="screen-note" role={state.state === 'failed' ? 'alert' : 'status'}>
          {state.state === 'failed' ? faultSentence(state.fault) : 'Reading the journal…'}
        </p>
      ) : (
        <div className="overview-grid" aria-busy={!isCurrent}>
          <ThenNumbers past={past} />
          <Panel
            title="Fleet map"
            note="then, by the places of now"
            className="overview-map"
            tools={
              <>
                <Choice label="Tiles" value={tiles} options={tileKinds} onChange={setTiles} />
                <Choice label="Show as" value={form} options={forms} onChange={setForm} />
              </>
            }
          >
            {past.map.devices.every((devices) => devices === 0) ? (
              <p className="overview-empty">No devices are known yet</p>
            ) : form === 'tree' ? (
              <ThenTree map={past.map} chosen={place?.id ?? null} onChoose={setPlace} />
            ) : form === 'table' ? (
              <MapTable map={past.map} data={null} colouring="state" onOpen={setPlace} />
            ) : (
              <>
                <MapCanvas map={past.map} colouring="state" data={null} onOpen={setPlace} />
                <Legend colouring="state" />
              </>
            )}
          </Panel>
          <OfflineThen past={past} place={place} onAll={() => thenPlace.set(null)} />
          <DevicesThen key={place?.id} at={past.told.at} place={place} />
        </div>
      )}
    </div>
  )
}

const forms = [...mapForms, { value: 'tree', word: 'Tree' }] as const

/** Returns the name of a place of the map; '' for one that it does not have. */
const nameOf = ({ map: { places } }: Past, place: string): string =>
  [...places.groups, ...places.tiles].find(({ id }) => id === place)?.name ?? ''

/** Shows the fleet as it was an hour ago, from where every other time is reached. */
export function TimeMachineButton() {
  const { ticker } = useAppContext()
  return (
    <Button
      className="button subtle"
      onPress={() => {
        showPast(ticker.exact() - hourMs, ticker.exact())
        afterFrames(() => document.querySelector<HTMLElement>('.time-slider')?.focus())
      }}
    >
      <History size={14} aria-hidden />
      Time machine
    </Button>
  )
}

/** Returns to the present, where the overview takes the focus. */
function backToNow(): void {
  thenTime.set(null)
  afterFrames(() => document.getElementById('overview')?.focus())
}

function Band({ at, isCurrent }: { at: number; isCurrent: boolean }) {
  const { times } = useSettings()
  const ago = useTickedText((now) => span(Math.max(0, now - at)))
  return (
    <div className="then-band">
      <h1>
        <b>THEN</b> {fullTime(at, times)}
      </h1>
      <span>
        {ago} ago. As Muster knew it; nothing can be changed here.{isCurrent ? '' : ' Reading…'}
      </span>
      <span className="spring" />
      <LinkButton link={{ to: 'past', at }} />
      <Button className="button" onPress={backToNow}>
        Back to now
      </Button>
    </div>
  )
}

function ThenNumbers({ past: { told, map } }: { past: Past }) {
  const sum = (status: number) =>
    map.counts.reduce((all, count, index) => (index % 3 === status ? all + count : all), 0)
  const [offline, unknown, online] = [sum(0), sum(1), sum(2)]
  const numbers = [
    { word: 'Online', value: numberText(online) },
    { word: 'Offline', value: numberText(offline) },
    {
      word: 'No data',
      value: numberText(unknown),
      note: told.uncertain > 0 ? `${numberText(told.uncertain)} uncertain` : '',
    },
    { word: 'Share online', value: online + offline === 0 ? '–' : shareText(online, online + offline) },
  ]
  return (
    <section aria-label="Fleet then">
      <dl className="then-numbers">
        {numbers.map(({ word, value, note = '' }) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>
              {value} {note !== '' && <span className="muted-text">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {told.uncertain > 0 && (
        <p className="muted-text">
          Uncertain: {many(told.uncertain, 'device')} changed while nobody saw it, and this time is between the earliest
          and the latest moment.
        </p>
      )}
      {told.knownSince === null ? (
        <p className="muted-text">Nothing is recorded of this day.</p>
      ) : (
        told.knownSince > told.at && (
          <p className="muted-text">
            The first record of this day is of <Moment at={told.knownSince} />.
          </p>
        )
      )}
    </section>
  )
}

function OfflineThen({ past: { told }, place, onAll }: { past: Past; place: ThenPlace | null; onAll: () => void }) {
  const { devices, offline } = told
  return (
    <Panel
      title="Offline then"
      note={place === null ? numberText(offline) : `${numberText(offline)} at ${place.name}`}
      className="offline-then"
      tools={
        place !== null && (
          <Button className="button subtle" onPress={onAll}>
            Show the whole fleet
          </Button>
        )
      }
    >
      {devices.length === 0 ? (
        <p className="overview-empty">No device is known to have been offline</p>
      ) : (
        <div className="overview-table-box">
          <table className="overview-table">
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">Site, room, tenant</th>
              </tr>
            </thead>
            <tbody>
              {devices.map(({ key, name: device, site, room, tenant }) => (
                <tr key={key}>
                  <th scope="row">
                    <DeviceLink device={key} name={device} title="Shows it as it is now" />
                  </th>
                  <td>
                    <Isolated className="clip">
                      {[site, room, tenant].filter((part) => part !== '').join(' · ')}
                    </Isolated>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {offline > devices.length && (
        <p className="overview-more">{numberText(offline - devices.length)} more are not listed</p>
      )}
      {devices.some(({ isAsThen }) => !isAsThen) && (
        <p className="overview-more">
          Names and places of that time are not recorded for all of them: those have today’s.
        </p>
      )}
    </Panel>
  )
}
