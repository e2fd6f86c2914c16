import type { Gauge } from '../../../src-shared/gauge.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useWords } from '../../ticker.ts'
import { resetWords, staleWords } from '../../words/points.ts'

export interface OneGauge {
  gauge: Gauge
  /** No service answers now. */
  stale: boolean
}

/** When the points come back, or how old the figures are. */
export function useReset({ gauge, stale }: OneGauge, words = staleWords): string {
  const { times } = useSettings()
  return useWords((now) => (stale ? words(gauge, now, times) : resetWords(gauge, now)))
}
