import { comparisonCsv, comparisonPage, newListComparisons } from '../reads/compare/comparison.ts'
import type { Store } from '../store.ts'
import type { CompareData } from './compare-protocol.ts'

type CompareCalls = {
  [N in keyof CompareData]: (input: Parameters<CompareData[N]>[0]) => Awaited<ReturnType<CompareData[N]>>
}

/** The calls about comparisons (compare-protocol.ts). */
export function compareCalls(store: Store): CompareCalls {
  const comparisons = newListComparisons(store)
  const kept = store.journal.comparisons
  return {
    giveAssets: ({ list, assets }) => comparisons.give(list, assets),
    compareRead({ first, second, now, ...asked }) {
      const compared = comparisons.step({ first, second }, now)
      return compared && comparisonPage(compared, asked)
    },
    compareCsv({ first, second, now, ...asked }) {
      const compared = comparisons.step({ first, second }, now)
      return compared && comparisonCsv(compared, asked)
    },
    comparisons: () => kept.all(),
    saveComparison: ({ comparison, text }) => kept.save(comparison, text),
    removeComparison({ id }) {
      kept.remove(id)
      store.journal.scrub()
    },
    comparisonList: ({ id }) => ({ text: kept.list(id) }),
  }
}
