import { useState } from 'react'
import { Choice } from '../../lib/ui/choice.tsx'
import { HistoryList } from './history-list.tsx'
import { SavedList } from './saved-list.tsx'

/** Saved operations, and the history of runs. */
export function KeptPanel() {
  const [part, setPart] = useState<'saved' | 'history'>('saved')
  const options = [
    { value: 'saved' as const, word: 'Saved' },
    { value: 'history' as const, word: 'History' },
  ]
  return (
    <section className="kept-panel" id="query-kept" tabIndex={-1} aria-label="Saved operations and history">
      <Choice label="Show" value={part} options={options} onChange={setPart} />
      {part === 'saved' ? <SavedList /> : <HistoryList />}
    </section>
  )
}
