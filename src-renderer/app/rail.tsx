import { Activity, Braces, Cable, History, LayoutDashboard, ListChecks, Rows3, Settings2, Siren } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { IncidentSummary } from '../../src-shared/model/incidents.ts'
import type { Screen } from '../../src-shared/navigation/screens.ts'
import { SeverityMark } from '../incidents/severity-mark.tsx'
import { openCount, worstOf } from '../incidents/format.ts'
import { numberText } from '../lib/format/numbers.ts'

const screens = [
  { screen: 'overview', word: 'Overview', Icon: LayoutDashboard },
  { screen: 'inventory', word: 'Inventory', Icon: Rows3 },
  { screen: 'incidents', word: 'Incidents', Icon: Siren },
  { screen: 'changes', word: 'Changes', Icon: History },
  { screen: 'actions', word: 'Actions', Icon: ListChecks },
  { screen: 'query', word: 'Query', Icon: Braces },
  { screen: 'connections', word: 'Connections', Icon: Cable },
  { screen: 'diagnostics', word: 'Diagnostics', Icon: Activity },
  { screen: 'settings', word: 'Settings', Icon: Settings2 },
] as const

interface Props {
  screen: Screen
  incidents: IncidentSummary
  onScreen: (screen: Screen) => void
}

export function Rail({ screen, incidents, onScreen }: Props) {
  return (
    <nav className="rail" aria-label="Screens">
      {screens.map(({ screen: its, word, Icon }) => (
        <Button
          key={its}
          className="rail-item"
          {...(its === screen && { 'aria-current': 'page' as const })}
          onPress={() => onScreen(its)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden />
          <span>{word}</span>
          {its === 'incidents' && <Badge incidents={incidents} />}
        </Button>
      ))}
    </nav>
  )
}

/** The number of open incidents that are not suppressed, with the shape of the worst severity. */
function Badge({ incidents }: { incidents: IncidentSummary }) {
  const count = openCount(incidents)
  const worst = worstOf(incidents)
  if (worst === null) return null
  return (
    <>
      <b className={`rail-badge badge-${worst}`} aria-hidden="true">
        <SeverityMark severity={worst} size={9} />
        {count > 99 ? '99+' : count}
      </b>
      <b className="sr-only">
        , {numberText(count)} open, the worst {worst}
      </b>
    </>
  )
}
