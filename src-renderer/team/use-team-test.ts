import { useRef, useState } from 'react'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { TeamInput, TeamLegResult } from '../../src-shared/model/team.ts'
import { useAppContext } from '../lib/context.ts'

/** The test of a team's database. `isOutdated`: the input has changed since it began. */
export type TeamTest = { isOutdated: boolean } & (
  | { is: 'none' }
  | { is: 'busy' }
  | { is: 'done'; legs: readonly TeamLegResult[] }
  | { is: 'failed'; fault: Fault }
)

const none: TeamTest = { is: 'none', isOutdated: false }

/** Holds the last test; only its result counts. */
export function useTeamTest() {
  const { session } = useAppContext()
  const [test, setTest] = useState<TeamTest>(none)
  const turn = useRef(0)
  /** Tests an input. Resolves with why it could not run; null when it ran. */
  async function run(input: TeamInput): Promise<Fault | null> {
    turn.current += 1
    const mine = turn.current
    setTest({ is: 'busy', isOutdated: false })
    const answer = await session.pipe.call('team.test', input)
    if (mine !== turn.current) return null
    setTest(({ isOutdated }) =>
      answer.ok
        ? { is: 'done', legs: answer.value.legs, isOutdated }
        : { is: 'failed', fault: answer.fault, isOutdated },
    )
    return answer.ok ? null : answer.fault
  }
  function clear() {
    turn.current += 1
    setTest(none)
  }
  const outdate = () => setTest((now) => (now.is === 'none' ? now : { ...now, isOutdated: true }))
  return { test, run, clear, outdate }
}
