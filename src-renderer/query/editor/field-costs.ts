import { RangeSet, StateEffect, StateField, type Extension, type Text } from '@codemirror/state'
import { EditorView, gutter, GutterMarker } from '@codemirror/view'
import { useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { shareText } from '../cost-text.ts'
import { fieldShares, type FieldShares } from '../field-shares.ts'

/** The points of one line, with its share of the whole as a bar. */
class CostMarker extends GutterMarker {
  readonly points: number
  readonly share: number

  constructor(points: number, share: number) {
    super()
    this.points = points
    this.share = Math.min(1, share)
  }

  override eq(other: CostMarker): boolean {
    return other.points === this.points && other.share === this.share
  }

  override toDOM(): HTMLElement {
    const box = document.createElement('div')
    box.className = 'field-cost'
    box.title = `About ${numberText(this.points)} points, ${shareText(this.share)} of the operation`
    // A share of the bar's width: the page's policy allows no style attribute, but the style object.
    box.style.setProperty('--share', `${Math.round(this.share * 100)}%`)
    box.textContent = `≈ ${numberText(this.points)}`
    return box
  }
}

const set = StateEffect.define<FieldShares | null>()

/** The markers, which move with their lines until the next estimate. */
const markers = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(before, { changes, effects, newDoc }) {
    let now = before.map(changes)
    for (const effect of effects) if (effect.is(set)) now = markersOf(effect.value, newDoc)
    return now
  },
})

function markersOf(shares: FieldShares | null, text: Text): RangeSet<GutterMarker> {
  if (shares === null) return RangeSet.empty
  return RangeSet.of(
    shares.lines
      .filter(({ line }) => line <= text.lines)
      .map(({ line, points }) => new CostMarker(points, points / shares.likely).range(text.line(line).from)),
    true,
  )
}

/** Shows in the margin what the fields of each line cost. The list below the editor has the same for screen readers. */
export const fieldCosts: Extension = [
  markers,
  gutter({ class: 'field-costs', markers: (view) => view.state.field(markers) }),
]

/** Shows the latest estimate in the margin of its document. */
export function useFieldCosts(view: EditorView | null): void {
  const shares = useStore(fieldShares, (latest) => latest)
  useEffect(() => {
    if (view === null || (shares !== null && view.state.doc.toString() !== shares.document)) return
    view.dispatch({ effects: set.of(shares) })
  }, [view, shares])
}
