import type { ConnectionState } from '../../src-shared/connection.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { waitsForOperator } from '../words/link.ts'

/** Whether the connection's reading stands still because the operator paused background work. */
export function useWaitsForOperator(connection: Pick<ConnectionState, 'id' | 'sync'>): boolean {
  const { session } = useSurroundings()
  return useStore(session.state, ({ app }) => app !== null && waitsForOperator(connection, app.gauges))
}
