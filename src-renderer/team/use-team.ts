import { useEffect, useEffectEvent, useRef } from 'react'
import type { Answer } from '../../src-shared/contract/contract.ts'
import type { TeamState } from '../../src-shared/model/team.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'

/** Returns the team, as the core last told it; null before its first answer. `again` reads it again. */
export function useTeam(coreLost: boolean): { answer: Answer<TeamState> | null; again: () => void } {
  const { session } = useAppContext()
  const events = useRef(0)
  const { value, set, again } = useCall<Answer<TeamState>>(coreLost ? null : 'team', async () => {
    const before = events.current
    const answer = await session.pipe.call('team.read', {})
    // An event that came meanwhile is newer than the answer.
    return events.current === before ? answer : null
  })
  const changed = useEffectEvent((state: TeamState) => {
    events.current += 1
    set({ ok: true, value: state })
  })
  useEffect(() => session.pipe.on('team', (state) => changed(state)), [session])
  return { answer: value, again }
}
