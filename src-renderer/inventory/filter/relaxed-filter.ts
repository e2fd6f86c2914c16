import { useMemo } from 'react'
import { isolated } from '../../../src-shared/text/direction.ts'
import { ownFields, parseFilter, printFilter, printTerm, type Term } from '../../../src-shared/filter/filter.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import type { Inventory } from '../inventory.ts'

/** A term that requires an exact value, with the same term as a prefix match. */
export interface RelaxedFilter {
  field: string
  value: string
  /** The term alone, exact and as a prefix match: `site:Berlin` and `site:Berlin*`. */
  exact: string
  loose: string
  /** The complete filter with the prefix match instead. */
  filter: string
}

type Match = Extract<Term, { kind: 'match' }>

/** Returns the value of a term that requires exactly one complete text; null for other terms. */
function wholeText(term: Term): { term: Match; value: string } | null {
  if (term.kind !== 'match' || term.not || term.how !== 'is' || term.values.length !== 1) return null
  const own = ownFields.find(({ name }) => name === term.field)
  const [pattern] = term.values
  const [value, more] = pattern ?? []
  if ((own !== undefined && own.kind !== 'text') || value === undefined || value === '' || more !== undefined)
    return null
  return { term, value }
}

/** Returns the terms of a filter that can be relaxed. */
export function relaxedOf(filter: string): readonly RelaxedFilter[] {
  const { terms } = parseFilter(filter)
  return terms.flatMap((each, index) => {
    const whole = wholeText(each)
    if (whole === null) return []
    const loose: Term = { ...whole.term, values: [[whole.value, '']] }
    const exact = printTerm(each)
    return {
      field: exact.slice(0, exact.indexOf(':')),
      value: whole.value,
      exact,
      loose: printTerm(loose),
      filter: printFilter(terms.with(index, loose)),
    }
  })
}

/** Returns for example "No site is called Berlin." */
export function noMatchText({ field, value }: RelaxedFilter): string {
  if (field === 'name') return `No device is called ${isolated(value)}.`
  return ['site', 'room', 'account', 'tenant', 'region'].includes(field)
    ? `No ${field} is called ${isolated(value)}.`
    : `No device has the ${field} ${isolated(value)}.`
}

/**
 * Returns the first term of the filter that no device of the scope matches exactly but some match as a prefix; null
 * while unknown.
 */
export function useRelaxed(inventory: Inventory): RelaxedFilter | null {
  const { session } = useAppContext()
  const { path, filter } = useStore(inventory.view)
  const scope = path.at(-1)?.id ?? 'all'
  const candidates = useMemo(() => relaxedOf(filter).slice(0, 10), [filter])
  const find = async () => {
    const queries = candidates
      .flatMap(({ exact, loose }) => [exact, loose])
      .map((text) => ({ scope, filter: text, sort: [] }))
    const answer = await session.pipe.call('inventory.totals', { queries })
    if (!answer.ok) return null
    const { totals } = answer.value
    const found = candidates.find((_, index) => totals[2 * index] === 0 && (totals[2 * index + 1] ?? 0) > 0)
    return { candidates, relaxed: found ?? null }
  }
  const { value } = useCall(candidates.length === 0 ? null : JSON.stringify([scope, filter]), find)
  return value?.candidates === candidates ? value.relaxed : null
}
