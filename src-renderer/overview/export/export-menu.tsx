import { Download } from 'lucide-react'
import { memo, useState, type RefObject } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { titleText } from '../../lib/format/messages.ts'
import { numberText, total } from '../../lib/format/numbers.ts'
import { type FilePart, saveFile } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../../lib/ui/save-status.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import type { FleetMap } from '../map/use-map.ts'
import { lineOf, type Day } from '../numbers/fleet-day.ts'
import { numbers, quantityText, valueOf } from '../numbers/numbers.tsx'
import type { TenantCard } from '../tenants/tenant-cards.ts'
import { totalOf } from '../map/looks.ts'
import { dayCsv, disconnectsCsv, incidentsCsv, mapCsv, worstSitesCsv } from './chart-csv.ts'
import { type ChartLine, drawLines, pngOf } from './chart-png.ts'

/** What the overview shows; null where it is not read. */
export interface Charts {
  counts: Counts
  day: CallOutput<'overview.day'> | null
  fleet: Day | null
  month: CallOutput<'overview.month'> | null
  map: FleetMap | null
  cards: readonly TenantCard[]
  incidents: readonly Incident[] | null
}

interface Choice {
  word: string
  name: string
  format: 'csv' | 'png'
  /** Null where there is nothing to export yet. */
  make: (() => Promise<FilePart>) | null
}

/** Exports the charts of the overview, as they are shown. `charts`: the present ones, read when the menu opens. */
export const ExportMenu = memo(function ExportMenu({ charts }: { charts: RefObject<Charts | null> }) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  async function save({ name, format, make }: Choice) {
    if (make === null) return
    setState({ is: 'saving', progress: 'Saving…' })
    const type = format === 'csv' ? 'text/csv' : 'image/png'
    const file = fileName(name, format, new Date(ticker.exact()))
    try {
      setState(savedState(await saveFile(session.pipe, shellOf(session), file, type, [await make()])))
    } catch (thrown) {
      setState({ is: 'failed', fault: { kind: 'internal', detail: thrown instanceof Error ? thrown.message : '' } })
    }
  }
  return (
    <>
      <SaveStatus state={state} />
      <MenuTrigger>
        <Button className="button subtle" isDisabled={state.is === 'saving'}>
          <Download size={14} aria-hidden />
          Export charts
        </Button>
        <Popover className="popover" placement="bottom end">
          <Choices charts={charts} onSave={(choice) => void save(choice)} />
        </Popover>
      </MenuTrigger>
    </>
  )
})

function Choices({ charts, onSave }: { charts: RefObject<Charts | null>; onSave: (choice: Choice) => void }) {
  const { ticker } = useAppContext()
  const { times } = useSettings()
  const [choices] = useState(() =>
    charts.current === null ? [] : choicesOf(charts.current, ({ message }) => titleText(message, ticker.now(), times)),
  )
  return (
    <Menu
      className="menu"
      aria-label="Export charts"
      disabledKeys={choices.filter(({ make }) => make === null).map(({ word }) => word)}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.word} id={choice.word} className="menu-item" onAction={() => onSave(choice)}>
          {choice.word}
        </MenuItem>
      ))}
    </Menu>
  )
}

function choicesOf(charts: Charts, titleOf: (incident: Incident) => string): Choice[] {
  const { day, month, map, cards, incidents } = charts
  const names = new Map(cards.map(({ id, name }) => [id, name]))
  const csv = <T,>(of: T | null, make: (of: T) => string): Choice['make'] => (of === null ? null : async () => make(of))
  const fleetLines = fleetLinesOf(charts)
  const tenantLines = cards.flatMap(tenantLineOf)
  const png = (title: string, lines: readonly ChartLine[]): Choice['make'] =>
    lines.length === 0 ? null : async () => ({ base64: await pngOf(drawLines(title, lines)) })
  return [
    { word: 'Fleet, last 24 hours, PNG', name: 'fleet', format: 'png', make: png('Fleet, last 24 hours', fleetLines) },
    {
      word: 'Tenants, last 24 hours, PNG',
      name: 'tenants',
      format: 'png',
      make: png('Offline devices by tenant, last 24 hours', tenantLines),
    },
    {
      word: 'Tenants, last 24 hours, CSV',
      name: 'tenants',
      format: 'csv',
      make: csv(day, (of) => dayCsv(of, (id) => names.get(id) ?? id)),
    },
    { word: 'Fleet map, PNG', name: 'fleet-map', format: 'png', make: mapPng() },
    { word: 'Fleet map, CSV', name: 'fleet-map', format: 'csv', make: csv(map, mapCsv) },
    {
      word: 'Open incidents, CSV',
      name: 'open-incidents',
      format: 'csv',
      make: csv(incidents, (of) => incidentsCsv(of, titleOf)),
    },
    { word: 'Most disconnects, CSV', name: 'most-disconnects', format: 'csv', make: csv(month, disconnectsCsv) },
    { word: 'Worst sites, CSV', name: 'worst-sites', format: 'csv', make: csv(month, worstSitesCsv) },
  ]
}

/** The canvas of the map, where it is shown and not its table. */
function mapPng(): Choice['make'] {
  return async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas.map-canvas')
    if (canvas === null) throw new Error('Show the map instead of its table first.')
    return { base64: await pngOf(canvas) }
  }
}

function fleetLinesOf({ counts, fleet, month }: Charts): ChartLine[] {
  if (fleet === null) return []
  const devices = total(counts)
  const lastWeek = month?.lastWeek ?? null
  return numbers.map(({ quantity, word, tone }) => ({
    title: word,
    value: quantityText(quantity, valueOf(quantity, counts)),
    line: lineOf(fleet, quantity, devices),
    before: lastWeek === null || quantity === 'unknown' ? undefined : lineOf(lastWeek, quantity, devices),
    tone,
    fromZero: quantity === 'offline' || quantity === 'unknown',
  }))
}

function tenantLineOf({ name, counts, day }: TenantCard): ChartLine[] {
  if (day === null) return []
  const all = totalOf(counts)
  const value = `${numberText(counts.offline)} of ${numberText(all)}`
  return [{ title: name, value, line: lineOf(day, 'offline', all), before: undefined, tone: 'bad', fromZero: true }]
}
