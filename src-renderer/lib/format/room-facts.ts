import { isolated } from '../../../src-shared/text/direction.ts'
import type { RoomFacts } from '../../../src-shared/model/inventory.ts'
import { numberText } from './numbers.ts'

/** Returns for example "Capacity 12 · Size LARGE · Floor 3", without what the service did not tell. */
export const roomFactsText = ({ capacity, size, floor }: RoomFacts): string =>
  [
    capacity !== null && `Capacity ${numberText(capacity)}`,
    size !== null && size !== '' && `Size ${isolated(size.slice(0, 100))}`,
    floor !== null && floor !== '' && `Floor ${isolated(floor.slice(0, 100))}`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
