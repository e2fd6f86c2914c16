import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'

/** Returns the operator of the team's member that reads a connection of which this Muster has no secret; null for others. */
export function useRunsElsewhere(connection: string | null): string | null {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => {
    const known = app?.connections.find(({ id }) => id === connection)
    return known?.secret === 'elsewhere' ? (known.readBy ?? null) : null
  })
}
