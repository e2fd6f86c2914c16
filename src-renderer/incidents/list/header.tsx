import { ClipboardList, Search } from 'lucide-react'
import { Button, Radio, RadioGroup } from 'react-aria-components'
import type { KeyboardEvent } from 'react'
import type { AppState } from '../../lib/session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { shortTime } from '../../lib/format/time.ts'
import type { Incidents } from '../incidents.ts'
import { HandoverNotice } from '../team/handover-notice.tsx'
import { useReachableText } from '../use-reachable-text.ts'
import { stateLabels, summaryText, type ListState } from '../format.ts'

const states = ['open', 'acknowledged', 'closed'] as const satisfies readonly ListState[]

/** The summary of open incidents, the three lists with their counts, and the search. */
export function ListHeader({ incidents, app, coreLost }: { incidents: Incidents; app: AppState; coreLost: boolean }) {
  const { times } = useSettings()
  const at = useReachableText((now) => shortTime(now, now, times))
  const words = coreLost ? `As it was at ${at}, when the core stopped` : summaryText(app.incidents)
  return (
    <div className="incidents-top">
      <div className="screen-head">
        <h1>Incidents</h1>
        <span className="screen-sum">{words}</span>
        <span className="spring" />
        <Button className="button" isDisabled={coreLost} onPress={() => incidents.asked.set({ what: 'handover' })}>
          <ClipboardList size={14} aria-hidden />
          Shift handover
        </Button>
      </div>
      <HandoverNotice incidents={incidents} coreLost={coreLost} />
      <div className="incidents-filters">
        <Lists incidents={incidents} />
        <Find incidents={incidents} />
      </div>
    </div>
  )
}

function Lists({ incidents }: { incidents: Incidents }) {
  const state = useStore(incidents.view, (view) => view.state)
  const counts = useStore(incidents.counts)
  const choose = (next: string) => {
    const found = states.find((each) => each === next)
    if (found !== undefined) incidents.ask({ state: found })
  }
  return (
    <RadioGroup
      className="choice"
      aria-label="Which incidents"
      value={state}
      onChange={choose}
      orientation="horizontal"
    >
      {states.map((each) => (
        <Radio key={each} className="choice-part" value={each}>
          <span>
            {stateLabels[each]}
            {counts !== null && <span className="list-count"> {numberText(counts[each])}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  )
}

function Find({ incidents }: { incidents: Incidents }) {
  const text = useStore(incidents.view, (view) => view.text)
  const total = useStore(incidents.rows.state, (loaded) => (loaded.pending ? null : loaded.total))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== '') incidents.ask({ text: '' })
    else if (event.key === 'ArrowDown' || event.key === 'Enter' || event.key === 'Escape')
      document.getElementById('incidents')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <>
      <span className="search">
        <Search size={14} aria-hidden />
        <input
          type="search"
          id="incidents-filter"
          className="search-input"
          aria-label="Find incidents"
          placeholder="Place, device, reason"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => incidents.ask({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </span>
      <span className="matches" role="status">
        {text !== '' && total !== null && `${numberText(total)} found`}
      </span>
    </>
  )
}
