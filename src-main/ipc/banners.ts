import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { Banner } from '../../src-shared/model/inventory.ts'
import type { Publisher } from './publish.ts'

/** Messages about Muster itself for the operator; each change sends all of them to the window. */
export interface Banners {
  all(): Banner[]
  /** Adds a banner, or replaces the one with the same id. */
  show(id: string, level: Banner['level'], fault: Fault): void
  /** Removes a banner that no longer applies or was dismissed. */
  remove(id: string): void
}

export function createBanners(clock: Clock, publisher: Publisher): Banners {
  const banners = new Map<string, Banner>()
  const all = () => [...banners.values()]
  return {
    all,
    show(id, level, fault) {
      banners.set(id, { id, level, fault, at: clock.now() })
      publisher.send('banners', all())
    },
    remove(id) {
      if (banners.delete(id)) publisher.send('banners', all())
    },
  }
}
