import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { Banner } from '../../src-shared/model/inventory.ts'
import type { Publisher } from './publish.ts'

/** What the operator should know of Muster itself; each change is told to the window, whole. */
export interface Banners {
  all(): Banner[]
  /** Another word by the same id takes the place of the former one. */
  say(id: string, level: Banner['level'], fault: Fault): void
  /** It is no longer so, or has been read. */
  take(id: string): void
}

export function createBanners(clock: Clock, publisher: Publisher): Banners {
  const banners = new Map<string, Banner>()
  const all = () => [...banners.values()]
  return {
    all,
    say(id, level, fault) {
      banners.set(id, { id, level, fault, at: clock.now() })
      publisher.send('banners', all())
    },
    take(id) {
      if (banners.delete(id)) publisher.send('banners', all())
    },
  }
}
