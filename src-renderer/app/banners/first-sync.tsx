import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { firstSync, firstSyncText } from './first-sync-format.ts'

/** Shows the progress of a first sync, because the data looks complete before it is. */
export function FirstSync({
  connections,
  gauges,
}: {
  connections: readonly ConnectionState[]
  gauges: readonly Gauge[]
}) {
  const sync = firstSync(connections)
  const words = useTickedText((now) => (sync === null ? '' : firstSyncText(sync, connections, now, gauges)))
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
