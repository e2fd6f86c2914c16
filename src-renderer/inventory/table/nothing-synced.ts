import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { total } from '../../lib/format/numbers.ts'

/** True when there is no device and no reading was ever complete: then nothing may be claimed, not even that there are none. */
export function useNothingSynced(): boolean {
  const { session } = useAppContext()
  return useStore(
    session.state,
    ({ app }) =>
      app !== null && total(app.totals) === 0 && app.connections.every(({ lastReadingAt }) => lastReadingAt === null),
  )
}
