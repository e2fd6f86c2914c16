import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Problem } from '../../../../src-shared/filter/filter.ts'
import { useStore } from '../../../lib/store.ts'
import type { Inventory } from '../../inventory.ts'
import { isUnfinished } from '../query.ts'
import { Isolated } from '../../../lib/ui/isolated.tsx'

/** A problem is shown after typing pauses for this long (ms), because an incomplete word is not an error yet. */
const rest = 450

/**
 * Returns the first problem of the text after typing pauses; null without one, or while its value is about to be typed.
 */
export function useShownProblem(inventory: Inventory): Problem | null {
  const { text, problems, caret } = useStore(inventory.draft)
  const [rested, setRested] = useState('')
  const [first] = problems
  useEffect(() => {
    if (problems.length === 0) return undefined
    const timer = setTimeout(() => setRested(text), rest)
    return () => clearTimeout(timer)
  }, [text, problems])
  return first === undefined || rested !== text || isUnfinished(first, text, caret) ? null : first
}

/**
 * The problem of the text, and the filter that stays in force. It is always in the document, so that screen readers
 * announce it.
 */
export function FilterProblem({ inventory }: { inventory: Inventory }) {
  const problem = useShownProblem(inventory)
  const filter = useStore(inventory.view, (view) => view.filter)
  const words = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const top = words.current?.closest<HTMLElement>('.table-top')
    const field = top?.querySelector('.filter')
    if (!top || !field || !words.current) return
    // The list of completions opens below this message, so that both are readable.
    const end = problem === null ? 0 : words.current.getBoundingClientRect().bottom - field.getBoundingClientRect().top
    top.style.setProperty('--problem-end', `${Math.round(end)}px`)
  })
  return (
    <div ref={words} id="filter-problem" className="filter-problem" role="alert" aria-live="polite">
      {problem !== null && (
        <>
          {problem.message}{' '}
          <span className="muted-text">
            {filter === '' ? (
              'Until then all devices are listed.'
            ) : (
              <>
                Until then this is listed: <Isolated>{filter}</Isolated>
              </>
            )}
          </span>
        </>
      )}
    </div>
  )
}
