import '../styles/overview.css'
import { FileText, HardDriveDownload, MonitorUp } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { Answer } from '../../src-shared/contract/contract.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { useAppContext } from '../lib/context.ts'
import { coreLostText } from '../lib/format/faults.ts'
import { many, total, unknownCounts } from '../lib/format/numbers.ts'
import { every } from '../lib/hooks/use-call.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import type { AppState, Session } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { ExportMenu } from './export/export-menu.tsx'
import { type Charts, overviewChoices } from './export/overview-choices.ts'
import { useChoices } from './export/use-choices.ts'
import { FirstMinute } from './first-minute.tsx'
import { IncidentTimeline } from './incidents/incident-timeline.tsx'
import { useOpenIncidents } from './incidents/use-open-incidents.ts'
import { FleetMap } from './map/fleet-map.tsx'
import { unlessLost, useFleetMap } from './map/use-map.ts'
import { fleetDay } from './numbers/fleet-day.ts'
import { Numbers } from './numbers/numbers.tsx'
import { OccupancyPanel } from './occupancy/occupancy.tsx'
import type { SetHour } from './points/hour.ts'
import { PointsHour } from './points/points-hour.tsx'
import { PlacePage } from './place/place-page.tsx'
import { shownPlace } from './place/shown-place.ts'
import { FirmwarePage } from './firmware/firmware-page.tsx'
import { shownFirmware } from './firmware/shown-firmware.ts'
import { ReportPage } from './report/report-page.tsx'
import { shownReport } from './report/shown-report.ts'
import { tenantCards } from './tenants/tenant-cards.ts'
import { Tenants } from './tenants/tenants.tsx'
import { thenTime } from './then/then-time.ts'
import { ThenView, TimeMachineButton } from './then/then-view.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { useLast } from '../lib/hooks/use-last.ts'
import { showWall } from '../wall/shown-wall.ts'
import { Connections } from './worst/connections.tsx'
import { LongestOffline, MostDisconnects, WorstSites } from './worst/worst.tsx'

/** How often the last 24 hours are read again (ms); a part of them is a quarter of an hour. */
const dayEvery = 60_000
const monthEvery = 10 * 60_000
/** How often the points of the last hour are read again (ms). */
const hourEvery = 10_000
const occupancyEvery = 5_000

interface Props {
  app: AppState
  /** The core cannot be reached, and everything is as it was last known. */
  coreLost: boolean
}

/** The fleet at a glance, the page of a place, or the fleet at a past time: only what is shown is read. */
export function OverviewScreen({ app, coreLost }: Props) {
  const place = useStore(shownPlace)
  const then = useStore(thenTime)
  const report = useStore(shownReport)
  const firmware = useStore(shownFirmware)
  if (report !== null) return <ReportPage key={report} place={report} coreLost={coreLost} />
  if (firmware) return <FirmwarePage coreLost={coreLost} />
  if (place !== null) return <PlacePage key={place} place={place} coreLost={coreLost} />
  if (then !== null) return <ThenView at={then} coreLost={coreLost} />
  return <FleetNow app={app} coreLost={coreLost} />
}

function FleetNow({ app, coreLost }: Props) {
  const { session } = useAppContext()
  const counts = coreLost ? unknownCounts(app.totals) : app.totals
  // The map is asked for first: the history takes longer.
  const map = useFleetMap('site')
  const sites = useMemo(() => unlessLost(map, coreLost), [map, coreLost])
  // Read again when the core is reachable again, and after the first sync of a connection.
  const history = `${coreLost} ${app.connections.filter(({ lastReadingAt }) => lastReadingAt !== null).length}`
  const day = useLast(`day ${history}`, () => session.pipe.call('overview.day', {}), every(dayEvery))
  const month = useLast(`month ${history}`, () => session.pipe.call('overview.month', {}), every(monthEvery))
  const hours = useLast(`points ${coreLost}`, () => pointsOfSets(session), every(hourEvery))
  const { occupancy: isStreamed } = useSettings()
  const occupancy = useLast(
    `occupancy ${history} ${isStreamed}`,
    () => session.pipe.call('occupancy.read', {}),
    every(occupancyEvery),
  )
  const open = useOpenIncidents(coreLost)
  const fleet = useMemo(() => (day.value === null ? null : fleetDay(day.value)), [day.value])
  const cards = useMemo(
    () =>
      sites.state === 'shown'
        ? tenantCards({ ...sites.map, day: day.value, incidents: open.value?.incidents ?? [] })
        : [],
    [sites, day.value, open.value],
  )
  const charts = useRef<Charts | null>(null)
  useEffect(() => {
    const map = sites.state === 'shown' ? sites.map : null
    const incidents = open.value?.incidents ?? null
    charts.current = { counts, day: day.value, fleet, month: month.value, map, cards, incidents, hours: hours.value }
  })
  return (
    <div className="screen overview" id="overview" tabIndex={-1}>
      <Head app={app} tenants={cards.length} charts={charts} />
      <div className="overview-grid">
        {app.demo && <FirstMinute canStartOther={app.can.startOther} />}
        <Numbers
          counts={counts}
          day={fleet}
          lastWeek={month.value?.lastWeek ?? null}
          fault={day.fault}
          coreLost={coreLost}
        />
        <FleetMap sites={sites} coreLost={coreLost} />
        <IncidentTimeline open={open} />
        <Tenants cards={cards} />
        <div className="overview-rankings">
          <LongestOffline coreLost={coreLost} />
          <MostDisconnects month={month} />
          <WorstSites month={month} />
        </div>
        <OccupancyPanel occupancy={occupancy} coreLost={coreLost} />
        <PointsHour hours={hours} coreLost={coreLost} />
        <Connections connections={app.connections} gauges={app.gauges} coreLost={coreLost} />
      </div>
    </div>
  )
}

async function pointsOfSets({ pipe }: Session): Promise<Answer<SetHour[]>> {
  const answer = await pipe.call('points.hour', {})
  return answer.ok ? { ok: true, value: answer.value.sets } : answer
}

interface HeadProps {
  app: AppState
  tenants: number
  charts: RefObject<Charts | null>
}

/** The title, and the ways to the other pages of the overview. */
function Head({ app, tenants, charts }: HeadProps) {
  const { session } = useAppContext()
  const reach = useStore(session.state, (state) => state.reach)
  const choices = useChoices(charts, overviewChoices)
  const lost = useTickedText((now) => coreLostText(reach, app.connections, now) ?? '')
  return (
    <div className="screen-head">
      <h1>Overview</h1>
      <span className="screen-sum">
        {many(total(app.totals), 'device')} · {many(tenants, 'tenant')}
      </span>
      {lost !== '' && <span className="overview-lost">{lost}</span>}
      <span className="spring" />
      <TimeMachineButton />
      <Button className="button subtle" onPress={() => shownReport.set(everything)}>
        <FileText size={14} aria-hidden />
        Report
      </Button>
      <Button className="button subtle" onPress={() => shownFirmware.set(true)}>
        <HardDriveDownload size={14} aria-hidden />
        Firmware
      </Button>
      <Button className="button subtle" onPress={() => showWall(session)}>
        <MonitorUp size={14} aria-hidden />
        Wall display
      </Button>
      <ExportMenu label="Export charts" choices={choices} />
    </div>
  )
}
