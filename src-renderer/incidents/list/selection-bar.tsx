import { Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { many } from '../../lib/format/numbers.ts'
import { askFor } from '../actions/ask.ts'
import { actOn } from '../team/direct.ts'
import type { Incidents } from '../incidents.ts'

/** Time (ms) for which the message about an action stays, long enough to undo a wrong one. */
const messageStays = 12_000

/** The selection and its actions at the foot of the list, and the message about the last action with its undo. */
export function SelectionBar({ incidents, coreLost }: { incidents: Incidents; coreLost: boolean }) {
  const count = useStore(incidents.selection.state, ({ size }) => size)
  const state = useStore(incidents.view, (view) => view.state)
  const isJoined = useStore(incidents.team.state, (team) => team !== null)
  const act = (what: 'take' | 'give back' | 'unacknowledge') => actOn(incidents, { do: what }, incidents.about(false))
  return (
    <div className="table-foot">
      {count > 0 && (
        <section className="selection-bar" aria-label="Selected incidents">
          <strong>{many(count, 'incident')} selected</strong>
          {state !== 'closed' && (
            <Button className="button" isDisabled={coreLost} onPress={() => askFor(incidents, 'acknowledge', false)}>
              Acknowledge
            </Button>
          )}
          {state !== 'closed' && (
            <Button className="button" isDisabled={coreLost} onPress={() => askFor(incidents, 'snooze', false)}>
              Snooze
            </Button>
          )}
          {state === 'acknowledged' && (
            <Button className="button" isDisabled={coreLost} onPress={() => act('unacknowledge')}>
              Unacknowledge
            </Button>
          )}
          {isJoined && state !== 'closed' && (
            <>
              <Button className="button" isDisabled={coreLost} onPress={() => act('take')}>
                Take
              </Button>
              <Button className="button" isDisabled={coreLost} onPress={() => askFor(incidents, 'assign', false)}>
                Assign to…
              </Button>
              <Button className="button" isDisabled={coreLost} onPress={() => act('give back')}>
                Give back
              </Button>
            </>
          )}
          <IconButton label="Clear the selection (Esc)" onPress={incidents.selection.clear}>
            <X size={14} aria-hidden />
          </IconButton>
        </section>
      )}
      <ActionMessage incidents={incidents} coreLost={coreLost} />
    </div>
  )
}

function ActionMessage({ incidents: { actions }, coreLost }: { incidents: Incidents; coreLost: boolean }) {
  const message = useStore(actions.state)
  const { words, failed, undo, about } = message
  useEffect(() => {
    if (failed || words === '') return undefined
    // Two actions with the same message have their own time.
    const timer = setTimeout(() => actions.state.get() === message && actions.forget(), messageStays)
    return () => clearTimeout(timer)
  }, [failed, words, message, actions])
  return (
    <div className="action-text" role="status" data-shown={words !== ''} data-failed={failed}>
      {words}
      {about && undo !== null && (
        <Button className="button" isDisabled={coreLost} onPress={() => void actions.undo()}>
          <Undo2 size={14} aria-hidden />
          Undo<kbd>U</kbd>
        </Button>
      )}
      {failed && (
        <IconButton label="Dismiss" onPress={actions.forget}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
