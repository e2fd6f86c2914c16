import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'

/** Returns the operator of the team's member that reads a connection; null where this Muster reads it, or nobody does. */
export function useReadBy(connection: string | null): string | null {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.connections.find(({ id }) => id === connection)?.readBy ?? null)
}
