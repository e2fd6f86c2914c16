import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { resetText, staleText } from '../../lib/format/points.ts'

export interface OneGauge {
  gauge: Gauge
  /** No service answers now. */
  stale: boolean
}

/** When the points come back, or how old the figures are. */
export function useReset({ gauge, stale }: OneGauge, words = staleText): string {
  const { times } = useSettings()
  return useTickedText((now) => (stale ? words(gauge, now, times) : resetText(gauge, now)))
}
