import type { Cost } from '../../../src-shared/model/cost.ts'
import { many } from './numbers.ts'
import { span } from './time.ts'

/** "420 devices, 2,400 points, about 3 s"; "perhaps" before points that nothing similar was charged for. */
export function costText({ points, windows, ms, devices, known }: Cost): string {
  const spread = windows > 1 ? ` over ${many(windows, 'minute')}` : ''
  return `${many(devices, 'device')}, ${known ? '' : 'perhaps '}${many(points, 'point')}${spread}, about ${span(Math.max(1000, ms))}`
}
