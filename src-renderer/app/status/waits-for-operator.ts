import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { waitsForOperator } from '../../lib/format/connection-status.ts'

/** Returns whether the connection's sync is on hold because the operator paused background work. */
export function useWaitsForOperator(connection: Pick<ConnectionState, 'id' | 'sync'>): boolean {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app !== null && waitsForOperator(connection, app.gauges))
}
