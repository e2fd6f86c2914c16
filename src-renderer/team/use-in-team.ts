import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'

/** Returns whether this Muster is in a team. */
export function useInTeam(): boolean {
  const { team } = useAppContext()
  return useStore(team.state, (joined) => joined !== null)
}
