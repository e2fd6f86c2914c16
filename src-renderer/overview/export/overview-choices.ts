import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { numberText, total } from '../../lib/format/numbers.ts'
import { totalOf } from '../map/looks.ts'
import type { FleetMap } from '../map/use-map.ts'
import { lineOf, type Day } from '../numbers/fleet-day.ts'
import { numbers, quantityText, valueOf } from '../numbers/numbers.tsx'
import { firstMinute, minuteMs, minutesShown, type SetHour, usedByMinute } from '../points/hour.ts'
import type { TenantCard } from '../tenants/tenant-cards.ts'
import { dayCsv, disconnectsCsv, hoursOfPointsCsv, incidentsCsv, mapCsv, worstSitesCsv } from './chart-csv.ts'
import { type ChartLine, drawLines, pngOf } from './chart-png.ts'
import { csvFile, type ExportChoice, mapPng } from './export-menu.tsx'

/** What the overview shows; null where it is not read. */
export interface Charts {
  counts: Counts
  day: CallOutput<'overview.day'> | null
  fleet: Day | null
  month: CallOutput<'overview.month'> | null
  map: FleetMap | null
  cards: readonly TenantCard[]
  incidents: readonly Incident[] | null
  hours: readonly SetHour[] | null
}

/** Returns the files of the overview. `titleOf`: the title of an incident. */
export function overviewChoices(charts: Charts, titleOf: (incident: Incident) => string): ExportChoice[] {
  const { day, month, map, cards, incidents, hours } = charts
  const names = new Map(cards.map(({ id, name }) => [id, name]))
  const fleetLines = fleetLinesOf(charts)
  const tenantLines = cards.flatMap(tenantLineOf)
  const png = (title: string, lines: readonly ChartLine[]): ExportChoice['make'] =>
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
      make: csvFile(day, (of) => dayCsv(of, (id) => names.get(id) ?? id)),
    },
    { word: 'Fleet map, PNG', name: 'fleet-map', format: 'png', make: mapPng },
    { word: 'Fleet map, CSV', name: 'fleet-map', format: 'csv', make: csvFile(map, mapCsv) },
    {
      word: 'Open incidents, CSV',
      name: 'open-incidents',
      format: 'csv',
      make: csvFile(incidents, (of) => incidentsCsv(of, titleOf)),
    },
    { word: 'Most disconnects, CSV', name: 'most-disconnects', format: 'csv', make: csvFile(month, disconnectsCsv) },
    { word: 'Worst sites, CSV', name: 'worst-sites', format: 'csv', make: csvFile(month, worstSitesCsv) },
    {
      word: 'Points, last hour, PNG',
      name: 'points',
      format: 'png',
      make: png('Points used, last hour', (hours ?? []).map(hourLineOf)),
    },
    { word: 'Points, last hour, CSV', name: 'points', format: 'csv', make: csvFile(hours, hoursOfPointsCsv) },
  ]
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

/** The points that were used in each minute. */
function hourLineOf(hour: SetHour): ChartLine {
  const [values, from] = [usedByMinute(hour), firstMinute(hour)]
  return {
    title: hour.name,
    value: numberText(values.reduce<number>((sum, points) => sum + (points ?? 0), 0)),
    line: { from, until: from + minutesShown * minuteMs, values },
    before: undefined,
    tone: 'unknown',
    fromZero: true,
  }
}

function tenantLineOf({ name, counts, day }: TenantCard): ChartLine[] {
  if (day === null) return []
  const all = totalOf(counts)
  const value = `${numberText(counts.offline)} of ${numberText(all)}`
  return [{ title: name, value, line: lineOf(day, 'offline', all), before: undefined, tone: 'bad', fromZero: true }]
}
