import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { isPausedByOperator } from '../../lib/format/connection-status.ts'

/** Returns whether the connection's sync is on hold because the operator paused background work. */
export function usePausedByOperator(connection: Pick<ConnectionState, 'id' | 'sync'>): boolean {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app !== null && isPausedByOperator(connection, app.gauges))
}
