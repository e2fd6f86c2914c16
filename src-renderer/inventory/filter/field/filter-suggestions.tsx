import type { Suggestion } from './completion.ts'
import { Isolated } from '../../../lib/ui/isolated.tsx'

interface OffersProps {
  offers: readonly Suggestion[]
  active: number
  history: boolean
  onTake: (offer: Suggestion) => void
}

/** The completions below the field; screen readers hear their number. */
export function Suggestions({ offers, active, history, onTake }: OffersProps) {
  return (
    <>
      <div
        id="filter-offers"
        className="offers"
        role="listbox"
        aria-label={history ? 'Filters that were used' : 'Completions'}
        hidden={offers.length === 0}
      >
        {offers.map((offer, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys; this is its active descendant
          <div
            key={`${offer.past} ${offer.label}`}
            id={`filter-offer-${index}`}
            role="option"
            aria-selected={index === active}
            className="offer"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(offer)}
          >
            <Isolated className="clip" title={offer.label}>
              {offer.label}
            </Isolated>
            <span className="offer-hint">{offer.hint}</span>
          </div>
        ))}
      </div>
      <div className="sr-only" role="status">
        {offers.length === 0
          ? ''
          : `${offers.length} ${offers.length === 1 ? 'completion' : 'completions'}; down arrow to choose, Tab takes.`}
      </div>
    </>
  )
}
