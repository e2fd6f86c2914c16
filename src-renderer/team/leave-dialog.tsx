import { Button } from 'react-aria-components'
import { useAppContext } from '../lib/context.ts'
import { useOneCall } from '../lib/hooks/use-one-call.ts'
import { Question } from '../lib/ui/question.tsx'
import { TeamFaultNote } from './fault-text.tsx'

interface Props {
  coreLost: boolean
  onStay: () => void
  onLeft: () => void
}

/** Asks whether to leave the team, and leaves it. It stays open meanwhile. */
export function LeaveTeamDialog({ coreLost, onStay, onLeft }: Props) {
  const { session } = useAppContext()
  const { isBusy, fault, run } = useOneCall(() => session.pipe.call('team.leave', {}), onLeft)
  return (
    <Question
      title="Leave the team?"
      keep="Stay"
      onKeep={onStay}
      isBusy={isBusy}
      act={
        <Button className="button danger" isDisabled={coreLost} isPending={isBusy} onPress={run}>
          {isBusy ? 'Leaving…' : 'Leave team'}
        </Button>
      }
    >
      <p>
        Muster’s core starts again with this Muster’s own data, as it was before it joined. A copy of the team’s data
        stays on this computer’s disk.
      </p>
      <p>
        The other members go on. Another one takes over the incidents, and the connections whose client secrets it has.
      </p>
      <TeamFaultNote fault={fault} />
    </Question>
  )
}
