import { Button } from 'react-aria-components'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { useAppContext } from '../lib/context.ts'
import { useOneCall } from '../lib/hooks/use-one-call.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Question } from '../lib/ui/question.tsx'

/** Asks before a connection of a team is paused, because that is for all members. */
export function PauseDialog({
  connection: { id, name },
  coreLost,
  onDone,
}: {
  connection: ConnectionState
  coreLost: boolean
  onDone: () => void
}) {
  const { session } = useAppContext()
  const pause = useOneCall(() => session.pipe.call('connections.pause', { id, paused: true }), onDone)
  return (
    <Question
      title={
        <>
          Pause <Isolated>{name}</Isolated> for everybody in the team?
        </>
      }
      keep="Cancel"
      onKeep={onDone}
      isBusy={pause.isBusy}
      act={
        <Button className="button primary" isDisabled={pause.isBusy || coreLost} onPress={pause.run}>
          Pause
        </Button>
      }
    >
      <p>
        No member syncs or streams it until one of them resumes it. Devices that only it sees are unknown at every
        member.
      </p>
      <FaultNote fault={pause.fault} />
    </Question>
  )
}
