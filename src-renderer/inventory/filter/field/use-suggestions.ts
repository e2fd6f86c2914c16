import { useMemo } from 'react'
import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { caretIn } from '../../../../src-shared/filter/caret.ts'
import { useStore } from '../../../lib/store.ts'
import { useAppContext } from '../../../lib/context.ts'
import { useCall } from '../../../lib/hooks/use-call.ts'
import { askAt, suggestionsAt, pastSuggestions, valueSuggestions, type Suggestion } from './completion.ts'
import type { Inventory } from '../../inventory.ts'

type Values = CallOutput<'inventory.values'>['values']

/** Returns the completions at the caret. `caret` null: none. `history`: only recent filters. */
export function useSuggestions(
  inventory: Inventory,
  text: string,
  caret: number | null,
  history: boolean,
): readonly Suggestion[] {
  const { session } = useAppContext()
  const columns = useStore(session.state, ({ app }) => app?.columns)
  const past = useStore(session.state, ({ app }) => app?.settings.filterHistory) ?? none
  const names = useMemo(() => columns?.map(({ name }) => name) ?? [], [columns])
  const at = useMemo(() => (caret === null || history ? null : caretIn(text, caret)), [text, caret, history])
  const ask = useMemo(() => askAt(at), [at])
  const values = useValues(inventory, ask?.field ?? null, ask?.text ?? '')
  return useMemo(() => {
    if (history) return pastSuggestions(text, past, 10)
    if (at === null || caret === null) return []
    const found = ask === null ? suggestionsAt(text, at, names) : valueSuggestions(at, values)
    // A completion that equals the text is left out.
    const news = found.filter((offer) => offer.text !== text.slice(offer.from, offer.to))
    return text.trim() === '' ? news : [...news, ...pastSuggestions(text, past, 3)]
  }, [history, text, past, at, caret, ask, names, values])
}

const none: readonly string[] = []

/** Returns the values of a field in the scope, most frequent first. The last ones stay until the next answer. */
function useValues(inventory: Inventory, field: string | null, text: string): Values {
  const { session } = useAppContext()
  const scope = useStore(inventory.view, ({ path }) => path.at(-1)?.id ?? 'all')
  const find = async () => {
    const answer = await session.pipe.call('inventory.values', { scope, field: field ?? '', text, limit: 10 })
    return { field, values: answer.ok ? answer.value.values : noValues }
  }
  const { value } = useCall(field === null ? null : JSON.stringify([scope, field, text]), find)
  return field !== null && value?.field === field ? value.values : noValues
}

const noValues: Values = []
