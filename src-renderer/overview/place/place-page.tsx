import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { explain, faultSentence } from '../../../src-shared/model/fault.ts'
import { Availability } from '../../incidents/availability/strip.tsx'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { every } from '../../lib/hooks/use-call.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { LinkButton } from '../../lib/ui/buttons/link-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { Notes } from '../../policies/notes/notes.tsx'
import { searchedChanges } from '../../changes/query.ts'
import { ExportMenu } from '../export/export-menu.tsx'
import { type PlaceCharts, placeChoices } from '../export/place-choices.ts'
import { useChoices } from '../export/use-choices.ts'
import { IncidentTimeline } from '../incidents/incident-timeline.tsx'
import { type OpenIncidents, useOpenIncidents } from '../incidents/use-open-incidents.ts'
import { Legend } from '../map/legend.tsx'
import { MapCanvas } from '../map/map-canvas.tsx'
import { countsText, totalOf } from '../map/looks.ts'
import { unlessLost, useFleetMap, type MapState } from '../map/use-map.ts'
import { Panel } from '../panel.tsx'
import { useLast, type Last } from '../../lib/hooks/use-last.ts'
import { Disconnecting } from './disconnecting.tsx'
import { HeatMap, hoursTitle } from './heat-map.tsx'
import { type MapBelow, mapBelow } from './map-below.ts'
import { PastIncidents } from './past-incidents.tsx'
import { PlaceTimes } from './place-times.tsx'
import { shownReport } from '../report/shown-report.ts'
import { showPlace, shownPlace } from './shown-place.ts'

interface Props {
  /** Its node. */
  place: string
  coreLost: boolean
}

const historyEvery = 60_000

/** The page of a tenant, an account or a site: how it is now, and what its last day and month were like. */
export function PlacePage({ place, coreLost }: Props) {
  const { session } = useAppContext()
  const kind = place.startsWith('s:') ? 'room' : 'site'
  const fleet = useFleetMap(kind)
  const state = useMemo(() => unlessLost(fleet, coreLost), [fleet, coreLost])
  const open = useOpenIncidents(coreLost)
  const below = useMemo(() => (state.state === 'shown' ? mapBelow(state.map, place) : null), [state, place])
  const { value, fault } = useLast(
    `${place} ${coreLost}`,
    () => session.pipe.call('overview.place', { place }),
    every(historyEvery),
  )
  const history = value?.history ?? null
  const its = useMemo(() => incidentsOf(open, place), [open, place])
  const charts = useRef<PlaceCharts | null>(null)
  useEffect(() => {
    charts.current = { kind, map: below?.map ?? null, history, incidents: its.value?.incidents ?? null }
  })
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => screen.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the page from anywhere in it
    <div
      className="screen overview place-page"
      id="overview"
      tabIndex={-1}
      ref={screen}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && leave()}
    >
      {below === null ? (
        <NoPage state={state} />
      ) : (
        <>
          <Head below={below} place={place} charts={charts} coreLost={coreLost} />
          <div className="overview-grid">
            <PlaceTimes place={place} path={below.path} />
            <Panel title="Note and contact" className="place-note">
              <Notes node={{ id: place, name: below.path.at(-1)?.name ?? '' }} coreLost={coreLost} />
            </Panel>
            <Panel title="Availability" className="place-availability">
              <Availability subject={{ node: place }} seen={`${coreLost}`} names={['30 d', '7 d', '24 h']} />
            </Panel>
            <PlaceMap below={below} place={place} kind={kind} />
            <IncidentTimeline open={its} />
            {history === null ? (
              <Panel title={hoursTitle(kind)}>
                <Waiting fault={fault} isKnown={value !== null} />
              </Panel>
            ) : (
              <>
                <HeatMap hours={history.hours} kind={kind} />
                <Disconnecting history={history} total={totalOf(below.counts)} />
              </>
            )}
            <PastIncidents place={place} name={below.path.at(-1)?.name ?? ''} />
          </div>
        </>
      )}
    </div>
  )
}

/** Returns to the overview, which takes the focus. */
function leave(): void {
  shownPlace.set(null)
  afterFrames(() => document.getElementById('overview')?.focus())
}

function PlaceMap({ below, place, kind }: { below: MapBelow; place: string; kind: 'site' | 'room' }) {
  const { session } = useAppContext()
  return (
    <Panel title={kind === 'room' ? 'Rooms' : 'Sites'} note={countsText(below.counts)} className="overview-map">
      {totalOf(below.counts) === 0 ? (
        <p className="overview-empty">No devices are known here</p>
      ) : (
        <>
          <MapCanvas
            map={below.map}
            colouring="state"
            data={null}
            onOpen={(id) =>
              id.startsWith('s:') && id !== place
                ? showPlace(session, id)
                : session.open({ scope: id, filter: '', device: null })
            }
          />
          <Legend colouring="state" />
        </>
      )}
    </Panel>
  )
}

interface HeadProps {
  below: MapBelow
  place: string
  charts: RefObject<PlaceCharts | null>
  coreLost: boolean
}

function Head({ below, place, charts, coreLost }: HeadProps) {
  const choices = useChoices(charts, placeChoices)
  const { session, policyEditor } = useAppContext()
  const name = below.path.at(-1)?.name ?? ''
  const node = { id: place, name }
  return (
    <div className="screen-head place-head">
      <BackButton />
      <h1>
        <NameText name={name} clip />
      </h1>
      <Isolated className="screen-sum clip">
        {below.path
          .slice(0, -1)
          .map((each) => each.name)
          .join(' › ')}
      </Isolated>
      {coreLost && <span className="overview-lost">As last known</span>}
      <span className="spring" />
      <Button className="button subtle" onPress={() => session.open({ scope: place, filter: '', device: null })}>
        {many(totalOf(below.counts), 'device')} in the inventory
      </Button>
      <Button className="button subtle" onPress={() => shownReport.set(place)}>
        Report
      </Button>
      <Button
        className="button subtle"
        onPress={() => {
          searchedChanges(name)
          session.open({ scope: place, filter: '', device: null, screen: 'changes' })
        }}
      >
        Changes
      </Button>
      <LinkButton link={{ to: 'place', id: place }} />
      <ExportMenu label="Export" choices={choices} />
      <Button className="button subtle" isDisabled={coreLost} onPress={() => void policyEditor.askWindow(node)}>
        Maintenance window here…
      </Button>
    </div>
  )
}

function NoPage({ state }: { state: MapState }) {
  return (
    <>
      <div className="screen-head">
        <BackButton />
      </div>
      <p className="screen-note" role={state.state === 'failed' ? 'alert' : 'status'}>
        {state.state === 'failed'
          ? faultSentence(state.fault)
          : state.state === 'loading'
            ? 'Loading…'
            : 'This place is not in the fleet now.'}
      </p>
    </>
  )
}

function BackButton() {
  return (
    <Button className="button subtle" onPress={leave}>
      <ArrowLeft size={14} aria-hidden />
      Overview
    </Button>
  )
}

function Waiting({ fault, isKnown }: { fault: Fault | null; isKnown: boolean }) {
  return (
    <p className="overview-empty" role="status">
      {fault !== null ? explain(fault).title : isKnown ? 'Nothing is known of this place' : 'Reading the journal…'}
    </p>
  )
}

function incidentsOf({ value, fault }: Last<OpenIncidents>, place: string): Last<OpenIncidents> {
  if (value === null) return { value, fault }
  const incidents = value.incidents.filter(({ places }) => places.some(({ id }) => id === place))
  return { value: { incidents, total: incidents.length }, fault }
}
