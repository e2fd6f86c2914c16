import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { useAppContext } from '../lib/context.ts'
import { many } from '../lib/format/numbers.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { useStore } from '../lib/store.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { oldLines } from './freshness.ts'

/** Lines that are shown; the others are counted. */
const shownAtMost = 3

/** Says in large what is not as it is now. It is empty while the picture is live. */
export function OldLines({
  connections,
  answeredAt,
}: {
  connections: readonly ConnectionState[]
  answeredAt: number | null
}) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const reach = useStore(session.state, (state) => state.reach)
  // One text, so that it is drawn only when it changes.
  const text = useTickedText((now) => oldLines({ reach, answeredAt, connections }, now, times).join('\n'))
  const lines = text === '' ? [] : text.split('\n')
  return (
    <div className="wall-old" role="status">
      {lines.length > 0 && (
        <>
          <b>Not live</b>
          <ul>
            {lines.slice(0, shownAtMost).map((line) => (
              <li key={line}>
                <Isolated>{line}</Isolated>
              </li>
            ))}
            {lines.length > shownAtMost && <li>{many(lines.length - shownAtMost, 'more connection')}</li>}
          </ul>
        </>
      )}
    </div>
  )
}
