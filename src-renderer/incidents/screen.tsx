import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Screen } from '../../src-shared/navigation/screens.ts'
import type { AppState } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { afterFrames, isFocusLost } from '../lib/ui/focus.ts'
import { useLayout } from '../lib/ui/panes/layout.ts'
import { Separator } from '../lib/ui/panes/separator.tsx'
import { AcknowledgeDialog } from './actions/acknowledge.tsx'
import { askFor } from './actions/ask.ts'
import { IncidentPane } from './detail/detail.tsx'
import { HandoverDialog } from './actions/handover.tsx'
import type { Incidents } from './incidents.ts'
import { actionKey } from './actions/keys.ts'
import { IncidentList } from './list/list.tsx'
import { LongStandingPart } from './list/long-standing.tsx'
import { SnoozeDialog } from './actions/snooze.tsx'
import { AssignDialog } from './team/assign.tsx'
import { HandedOverDialog } from './team/handed-over.tsx'
import { actOn } from './team/direct.ts'
import { QuestionDialog } from './team/question.tsx'
import { ListHeader } from './list/header.tsx'

const focusList = () => document.getElementById('incidents')?.focus()

/**
 * The open, acknowledged and closed incidents. `coreLost`: the core cannot be reached. `onBack`: returns to the screen
 * from which an incident was opened.
 */
export function IncidentsScreen({
  incidents,
  app,
  coreLost,
  onBack,
}: {
  incidents: Incidents
  app: AppState
  coreLost: boolean
  onBack: (screen: Screen) => void
}) {
  const layout = useLayout()
  const open = useStore(incidents.detail.state, ({ state }) => state !== 'closed')
  const [width, setWidth] = useState(window.innerWidth >= 1280 ? 440 : 380)
  const pane = useRef<HTMLElement>(null)
  const isFocusPending = useRef(false)
  useWantedPane(incidents, pane)
  useEffect(() => {
    if (open && isFocusPending.current) pane.current?.focus()
    isFocusPending.current = false
  }, [open])

  function enter() {
    isFocusPending.current = true
    pane.current?.focus()
  }

  function close() {
    const screen = incidents.leave()
    if (screen === null) focusList()
    else onBack(screen)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => keyDown(event, { incidents, coreLost, pane: pane.current })

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys for what has the focus within
    <div
      className="incidents"
      data-layout={layout}
      data-detail={open}
      style={{ '--detail-width': `${width}px` }}
      onKeyDown={onKeyDown}
    >
      <section className="incidents-main" aria-label="Lists of incidents">
        <ListHeader incidents={incidents} app={app} coreLost={coreLost} />
        <IncidentList incidents={incidents} coreLost={coreLost} onEnter={enter} onClose={close} />
        <LongStandingPart incidents={incidents} />
      </section>
      {open && layout === 'wide' && (
        <Separator
          label="Width of the incident"
          controls="incident"
          width={width}
          min={320}
          max={720}
          side="end"
          onWidth={setWidth}
        />
      )}
      {open && <IncidentPane incidents={incidents} coreLost={coreLost} ref={pane} onClose={close} />}
      <OpenDialog incidents={incidents} />
    </div>
  )
}

interface KeyTargets {
  incidents: Incidents
  coreLost: boolean
  pane: HTMLElement | null
}

function keyDown(event: KeyboardEvent<HTMLElement>, { incidents, coreLost, pane }: KeyTargets): void {
  // Ignores keys in fields and in dialogs, whose events React also sends to this element.
  if (
    event.defaultPrevented ||
    event.target instanceof HTMLInputElement ||
    !(event.target instanceof Node) ||
    !event.currentTarget.contains(event.target)
  )
    return
  const key = actionKey(event)
  // A Muster on its own has nobody to take them from.
  if (key === null || (key === 'take' && incidents.team.state.get() === null)) return
  event.preventDefault()
  if (coreLost) return incidents.actions.showMessage('Nothing can be done before Muster’s core answers again.')
  const opened = pane?.contains(event.target) === true
  if (key === 'undo') void incidents.actions.undo()
  else if (key === 'take') actOn(incidents, { do: 'take' }, incidents.about(opened))
  else askFor(incidents, key, opened)
}

/** The open dialog. When it closes, the focus returns to where it was, or else to the list. */
function OpenDialog({ incidents }: { incidents: Incidents }) {
  const asked = useStore(incidents.asked)
  const done = () => {
    incidents.asked.set({ what: 'none' })
    afterFrames(() => isFocusLost() && focusList())
  }
  if (asked.what === 'acknowledge')
    return <AcknowledgeDialog incidents={incidents} subjects={asked.subjects} onDone={done} />
  if (asked.what === 'snooze') return <SnoozeDialog incidents={incidents} subjects={asked.subjects} onDone={done} />
  if (asked.what === 'assign') return <AssignDialog incidents={incidents} subjects={asked.subjects} onDone={done} />
  if (asked.what === 'question')
    return <QuestionDialog incidents={incidents} act={asked.act} subjects={asked.subjects} onDone={done} />
  if (asked.what === 'handed over')
    return <HandedOverDialog key={asked.id} incidents={incidents} id={asked.id} onDone={done} />
  return asked.what === 'handover' ? <HandoverDialog incidents={incidents} onDone={done} /> : null
}

/**
 * Moves the focus to the pane when requested, after the list of notifications has closed, which would otherwise return
 * it to its own button.
 */
function useWantedPane({ focusRequest }: Incidents, pane: RefObject<HTMLElement | null>): void {
  const wanted = useStore(focusRequest)
  useEffect(() => {
    if (wanted === null) return undefined
    return afterFrames(() => {
      focusRequest.set(null)
      const why = wanted === 'why' ? document.getElementById('incident-why') : null
      ;(why ?? pane.current)?.focus()
    })
  }, [wanted, focusRequest, pane])
}
