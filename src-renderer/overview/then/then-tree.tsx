import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { numberText } from '../../lib/format/numbers.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import type { FleetMap } from '../map/use-map.ts'
import { placeTree, type TreePlace } from './place-tree.ts'

interface Props {
  map: FleetMap
  /** The chosen place (its node); null for none. */
  chosen: string | null
  onChoose: (id: string) => void
}

/** The places with their devices at the past time; each opens to those below it. */
export function ThenTree({ map, chosen, onChoose }: Props) {
  const roots = placeTree(map)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(roots.map(({ id }) => id)))
  const turn = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div className="map-table-box" tabIndex={0} role="region" aria-label="Places then">
      <table className="overview-table then-tree">
        <thead>
          <tr>
            <th scope="col">Place</th>
            {['Offline', 'No data', 'Online'].map((word) => (
              <th key={word} scope="col" className="number">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {linesOf(roots, open).map((line) => (
            <Line key={line.place.id} {...line} isChosen={line.place.id === chosen} onTurn={turn} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Line {
  place: TreePlace
  level: number
  isOpen: boolean
}

const linesOf = (places: readonly TreePlace[], open: ReadonlySet<string>, level = 0): Line[] =>
  places.flatMap((place) => {
    const isOpen = open.has(place.id)
    return [{ place, level, isOpen }, ...(isOpen ? linesOf(place.below, open, level + 1) : [])]
  })

interface LineProps extends Line {
  isChosen: boolean
  onTurn: (id: string) => void
  onChoose: (id: string) => void
}

function Line({ place: { id, name, below, counts }, level, isOpen, isChosen, onTurn, onChoose }: LineProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <tr data-chosen={isChosen}>
      <th scope="row">
        <span className="then-place" style={{ paddingInlineStart: level * 16 }}>
          {below.length > 0 ? (
            <button
              type="button"
              className="then-turn"
              aria-expanded={isOpen}
              aria-label={`What is below ${name}`}
              onClick={() => onTurn(id)}
            >
              <Icon size={13} aria-hidden />
            </button>
          ) : (
            <span className="then-turn" />
          )}
          <button type="button" className="overview-link" aria-pressed={isChosen} onClick={() => onChoose(id)}>
            <NameText name={name} clip />
          </button>
        </span>
      </th>
      {counts.map((count, index) => (
        <td key={index} className="number">
          {numberText(count)}
        </td>
      ))}
    </tr>
  )
}
