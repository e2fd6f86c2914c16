import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { total } from '../../lib/format/numbers.ts'

/** Returns whether there is no device and no sync was ever complete, so that even "no devices" would be unfounded. */
export function useNothingSynced(): boolean {
  const { session } = useAppContext()
  return useStore(
    session.state,
    ({ app }) =>
      app !== null && total(app.totals) === 0 && app.connections.every(({ lastReadingAt }) => lastReadingAt === null),
  )
}
