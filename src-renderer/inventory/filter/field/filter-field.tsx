import { Search, X } from 'lucide-react'
import { useEffect, useRef, type RefObject } from 'react'
import { Button } from 'react-aria-components'
import { maxFilter } from '../../../../src-shared/model/inventory.ts'
import { Suggestions } from './filter-suggestions.tsx'
import { useShownProblem } from './filter-problem.tsx'
import type { Inventory } from '../../inventory.ts'
import { useFilterField } from './use-filter-field.ts'

interface Props {
  inventory: Inventory
  /** Called on Enter and the down arrow, which move to the rows. */
  onDone: () => void
}

/** The filter as text. Each valid text is applied at once; answers to older ones are dropped. */
export function FilterField({ inventory, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const problem = useShownProblem(inventory)
  const { text, offers, open, at, history, type, take, clear, setCaret, onKeyDown, onBlur } = useFilterField(
    inventory,
    input,
    onDone,
  )
  return (
    <div className="filter" role="search" data-faulty={problem !== null}>
      <Search size={14} aria-hidden />
      <div className="filter-text">
        {problem !== null && <Underline text={text} from={problem.from} to={problem.to} input={input} />}
        <input
          ref={input}
          id="filter"
          type="text"
          role="combobox"
          aria-label="Filter devices"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls="filter-offers"
          aria-activedescendant={at === -1 ? undefined : `filter-offer-${at}`}
          aria-invalid={problem !== null}
          aria-errormessage={problem === null ? undefined : 'filter-problem'}
          value={text}
          placeholder="Search name, serial, MAC, or site:Berlin*"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={maxFilter}
          onChange={(event) => type(event.target.value, event.target.selectionStart ?? event.target.value.length)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        />
      </div>
      {text === '' ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <Button className="icon-button" aria-label="Clear the filter" onPress={clear}>
          <X size={14} aria-hidden />
        </Button>
      )}
      <Suggestions offers={offers} active={at} history={history} onTake={take} />
    </div>
  )
}

/** An invisible copy of the text at the same position, with a line under the invalid word. */
function Underline({
  text,
  from,
  to,
  input,
}: {
  text: string
  from: number
  to: number
  input: RefObject<HTMLInputElement | null>
}) {
  const mirror = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = input.current
    if (field === null) return undefined
    const follow = () => mirror.current?.scrollTo({ left: field.scrollLeft })
    follow()
    field.addEventListener('scroll', follow)
    return () => field.removeEventListener('scroll', follow)
  }, [input, text]) // oxlint-disable-line react/exhaustive-effect-dependencies, react/exhaustive-deps -- another text may be scrolled otherwise
  return (
    <div ref={mirror} className="filter-mirror" aria-hidden="true">
      {text.slice(0, from)}
      <span className="faulty">{text.slice(from, Math.max(to, from + 1)) || ' '}</span>
      {text.slice(to)}
    </div>
  )
}
