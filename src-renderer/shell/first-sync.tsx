import type { ConnectionState } from '../../src-shared/connection.ts'
import type { Gauge } from '../../src-shared/gauge.ts'
import { useWords } from '../ticker.ts'
import { firstSync, firstSyncWords } from '../words/first-sync.ts'

/** At the top as long as a connection is read for the first time: what is shown of it looks whole, and is not. */
export function FirstSync({
  connections,
  gauges,
}: {
  connections: readonly ConnectionState[]
  gauges: readonly Gauge[]
}) {
  const sync = firstSync(connections)
  const words = useWords((now) => (sync === null ? '' : firstSyncWords(sync, connections, now, gauges)))
  if (sync === null) return null
  const { read, expected } = sync
  return (
    <div className="bar bar-info first-sync">
      <p>
        <strong>First sync in progress.</strong> {words}
      </p>
      <progress
        aria-label="First sync"
        max={expected ?? undefined}
        value={expected === null ? undefined : Math.min(read, expected)}
      />
    </div>
  )
}
