import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Problem } from '../../../../src-shared/filter/filter.ts'
import { useStore } from '../../../lib/store.ts'
import type { Inventory } from '../../inventory.ts'
import { isUnfinished } from '../query.ts'
import { Isolated } from '../../../lib/ui/isolated.tsx'

/** Half a word is no mistake yet: what is wrong is told when the typing rests so long, in milliseconds. */
const rest = 450

/** The first problem of the text in the field, once the typing rests; null when there is none, or while its value is about to be typed. */
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

/** What cannot be understood, and which filter stays in force meanwhile. Always in the document, so that it is read out when it comes. */
export function FilterProblem({ inventory }: { inventory: Inventory }) {
  const problem = useShownProblem(inventory)
  const filter = useStore(inventory.view, (view) => view.filter)
  const words = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const top = words.current?.closest<HTMLElement>('.table-top')
    const field = top?.querySelector('.filter')
    if (!top || !field || !words.current) return
    // Completions hang from the field: they begin under these words, so that both can be read.
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
