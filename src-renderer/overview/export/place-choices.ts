import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { FleetMap } from '../map/use-map.ts'
import { hoursCsv, incidentsCsv, mapCsv, placeDisconnectsCsv } from './chart-csv.ts'
import { csvFile, type ExportChoice, mapPng } from './export-menu.tsx'

/** What the page of a place shows; null where it is not read. `kind`: of the places below it. */
export interface PlaceCharts {
  kind: 'site' | 'room'
  map: FleetMap | null
  history: CallOutput<'overview.place'>['history']
  incidents: readonly Incident[] | null
}

/** Returns the files of the page of a place. `titleOf`: the title of an incident. */
export function placeChoices(
  { kind, map, history, incidents }: PlaceCharts,
  titleOf: (incident: Incident) => string,
): ExportChoice[] {
  const places = kind === 'room' ? 'Rooms' : 'Sites'
  return [
    { word: `${places}, PNG`, name: 'place-map', format: 'png', make: map === null ? null : mapPng },
    { word: `${places}, CSV`, name: 'place-map', format: 'csv', make: csvFile(map, mapCsv) },
    {
      word: `${places} by hour, CSV`,
      name: 'place-hours',
      format: 'csv',
      make: csvFile(history, ({ hours }) => hoursCsv(hours, kind)),
    },
    {
      word: 'Most disconnects, CSV',
      name: 'place-disconnects',
      format: 'csv',
      make: csvFile(history, placeDisconnectsCsv),
    },
    {
      word: 'Open incidents, CSV',
      name: 'place-incidents',
      format: 'csv',
      make: csvFile(incidents, (of) => incidentsCsv(of, titleOf)),
    },
  ]
}
