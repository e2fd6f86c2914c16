import { Button } from 'react-aria-components'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { useAppContext } from '../lib/context.ts'
import { useOneCall } from '../lib/hooks/use-one-call.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { useInTeam } from '../team/use-in-team.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Question } from '../lib/ui/question.tsx'

/** What is wiped, and where: in a team, at every member. */
export function Removed() {
  const inTeam = useInTeam()
  return (
    <>
      <p>
        {inTeam
          ? 'This wipes from the computer of every member of the team, and in some minutes from its database:'
          : 'This wipes from this computer:'}
      </p>
      <ul className="removed-list">
        <li>the connection, with its addresses and its client secret</li>
        <li>the devices that only it sees</li>
        <li>their history of transitions</li>
        {inTeam && <li>the shift handovers that may name them</li>}
      </ul>
      {inTeam && (
        <p>
          A member that is away wipes it when it is back, except perhaps its client secret. Backups of the database stay
          as they are.
        </p>
      )}
      <p>
        <strong>It cannot be undone:</strong> the history cannot be fetched again. Nothing changes on the service.
      </p>
    </>
  )
}

export function RemoveDialog({
  connection,
  onDone,
  onRemoved,
}: {
  connection: ConnectionState
  onDone: () => void
  onRemoved: () => void
}) {
  const { session } = useAppContext()
  const remove = useOneCall(() => session.pipe.call('connections.remove', { id: connection.id }), onRemoved)
  return (
    <Question
      title={
        <>
          Remove <Isolated>{connection.name}</Isolated>?
        </>
      }
      keep="Keep it"
      onKeep={onDone}
      act={
        <Button className="button danger" isDisabled={remove.isBusy} onPress={remove.run}>
          {remove.isBusy ? 'Removing…' : 'Remove and wipe'}
        </Button>
      }
    >
      <Removed />
      <FaultNote fault={remove.fault} />
    </Question>
  )
}
