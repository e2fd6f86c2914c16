import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { resetText, staleText } from '../../lib/format/points.ts'

export interface OneGauge {
  gauge: Gauge
  /** True when no service answers. */
  stale: boolean
}

/** Returns the time until the points reset, or the age of the numbers. */
export function useReset({ gauge, stale }: OneGauge, words = staleText): string {
  const { times } = useSettings()
  return useTickedText((now) => (stale ? words(gauge, now, times) : resetText(gauge, now)))
}
