import { useState } from 'react'
import { numberText } from '../../lib/format/numbers.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { Pager } from '../../lib/ui/pager.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { shareText } from '../../incidents/availability/format.ts'
import { pathOf } from './layout.ts'
import { countsAt, isOfWeek, tileNote, totalOf, type Colouring, type TileData } from './looks.ts'
import type { FleetMap } from './use-map.ts'

interface Props {
  map: FleetMap
  data: ReadonlyMap<string, TileData> | null
  /** The columns beside the counts are of it. */
  colouring: Colouring
  onOpen: (id: string) => void
}

/** Rows of one page. */
const pageRows = 100

/** The tiles of the map as a table, those with the most offline devices first. */
export function MapTable(props: Props) {
  const { map, colouring } = props
  const [wanted, setPage] = useState(0)
  const rows = rowsOf(map)
  const pages = Math.max(1, Math.ceil(rows.length / pageRows))
  const page = Math.min(wanted, pages - 1)
  const from = page * pageRows
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div className="map-table-box" tabIndex={0} role="region" aria-label="Fleet map as a table">
      <table className="overview-table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{map.places.kind === 'room' ? 'Room' : 'Site'}</th>
            <th scope="col">In</th>
            {['Offline', 'Unknown', 'Online', ...dataHeads(colouring)].map((word) => (
              <th key={word} scope="col" className="number">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(from, from + pageRows).map((tile, index) => (
            <Row key={map.places.tiles[tile]?.id ?? tile} {...props} tile={tile} index={from + index} />
          ))}
        </tbody>
      </table>
      <Pager
        page={page}
        pageRows={pageRows}
        shown={Math.min(rows.length - from, pageRows)}
        total={rows.length}
        onPage={setPage}
      />
    </div>
  )
}

/** `index`: of the row, from 0. */
function Row({ map, data, colouring, onOpen, tile, index }: Props & { tile: number; index: number }) {
  const { id, name } = map.places.tiles[tile] ?? { id: '', name: '' }
  const { offline, unknown, online } = countsAt(map.counts, tile)
  const cells = [numberText(offline), numberText(unknown), numberText(online), ...dataCells(colouring, data?.get(id))]
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">
        <button type="button" className="overview-link" onClick={() => onOpen(id)}>
          <NameText name={name} clip />
        </button>
      </th>
      <td>
        <Isolated className="clip">{pathOf(map.places, tile).join(' · ')}</Isolated>
      </td>
      {cells.map((text, column) => (
        <td key={column} className="number">
          {text}
        </td>
      ))}
    </tr>
  )
}

const dataHeads = (colouring: Colouring): readonly string[] =>
  colouring === 'state'
    ? []
    : isOfWeek(colouring)
      ? ['Online, 7 d', 'Disconnects, 7 d']
      : [colouring === 'age' ? 'Oldest data' : 'Behind target']

function dataCells(colouring: Colouring, data: TileData | undefined): readonly string[] {
  if (data === undefined) return dataHeads(colouring).map(() => 'no data')
  if ('up' in data) return [shareText(data.up, data.up + data.down), numberText(data.disconnects)]
  return [tileNote(colouring, { offline: 0, unknown: 0, online: 0 }, data)]
}

function rowsOf({ places, counts }: FleetMap): number[] {
  const found = places.tiles.flatMap((_, tile) => {
    const each = countsAt(counts, tile)
    return totalOf(each) === 0 ? [] : [{ tile, offline: each.offline }]
  })
  return found.sort((one, other) => other.offline - one.offline || one.tile - other.tile).map(({ tile }) => tile)
}
