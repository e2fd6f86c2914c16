import { changesCsv, changesPage, newComparisons } from '../reads/changes/changes.ts'
import type { Store } from '../store.ts'
import type { ChangesData } from './changes-protocol.ts'

type ChangesCalls = {
  [N in keyof ChangesData]: (input: Parameters<ChangesData[N]>[0]) => Awaited<ReturnType<ChangesData[N]>>
}

/** The calls for the screen Changes (changes-protocol.ts). */
export function changesCalls(store: Store): ChangesCalls {
  const comparisons = newComparisons(store)
  return {
    changesRead({ flap, now, ...asked }) {
      const compared = comparisons.step({ from: asked.from, until: asked.until, flap }, now)
      return compared && changesPage(compared, asked)
    },
    changesCsv({ flap, now, ...asked }) {
      const compared = comparisons.step({ from: asked.from, until: asked.until, flap }, now)
      return compared && changesCsv(compared, asked)
    },
  }
}
