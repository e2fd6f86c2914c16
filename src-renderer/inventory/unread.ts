import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { total } from '../words/numbers.ts'

/** True when there is no device and no reading was ever complete: then nothing may be claimed, not even that there are none. */
export function useNothingRead(): boolean {
  const { session } = useSurroundings()
  return useStore(
    session.state,
    ({ app }) =>
      app !== null && total(app.totals) === 0 && app.connections.every(({ lastReadingAt }) => lastReadingAt === null),
  )
}
