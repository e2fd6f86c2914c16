import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { importLimit } from '../../src-shared/contract/limits.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { keepNewest } from '../../src-shared/lib/keep-newest.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { keptComparison, type KeptComparison, type SavedComparison } from '../../src-shared/model/comparison.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { CompareData } from '../inventory/thread/compare-protocol.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { untilDone } from '../inventory/thread/until-done.ts'
import { readable } from '../query/kept/readable.ts'
import type { Log } from '../ports.ts'
import { assetsOf, readAssetList, type ReadList, shownList, withFields } from './asset-list.ts'

export interface CompareOptions {
  data: Pick<InventoryData, keyof CompareData>
  clock: Pick<Clock, 'now'>
  log: Log
}

/** Lists that are kept in memory: each has its text. */
const maxLists = 4

/** The calls of comparisons. Lists are read here, and compared in the data thread. */
export function compareHandlers({
  data,
  clock,
  log,
}: CompareOptions): Pick<Handlers, Extract<keyof Handlers, `compare.${string}`>> {
  const lists = new Map<string, ReadList>()
  // The data thread keeps one comparison: two at once would begin it anew in turn.
  const inTurn = oneByOne()
  const keep = async (id: string, list: ReadList) => {
    keepNewest(lists, id, list, maxLists)
    await data.giveAssets({ list: id, assets: assetsOf(list) })
    return shownList(id, list)
  }
  const listOf = (id: string) => {
    const list = lists.get(id)
    if (list === undefined) throw new FaultError('input', 'list: It is no longer kept. Choose the file again.')
    return list
  }
  const saved = async () => readable(keptComparison, await data.comparisons(), { log, what: 'comparisons' })
  return {
    'compare.list': async ({ name, text }) => keep(randomUUID(), readAssetList(name, text)),
    'compare.columns': async ({ list, fields }) => keep(list, withFields(listOf(list), fields)),
    'compare.read': (input) => inTurn(() => untilDone(() => data.compareRead({ ...input, now: clock.now() }))),
    'compare.csv': (input) => inTurn(() => untilDone(() => data.compareCsv({ ...input, now: clock.now() }))),
    'compare.saved': async () => ({ saved: await saved() }),
    async 'compare.save'(comparison) {
      const list = comparison.first.kind === 'list' ? listOf(comparison.first.list) : null
      await data.saveComparison({
        comparison: keptOf(comparison, list),
        text: list === null ? null : await promisify(gzip)(list.text),
      })
      return {}
    },
    async 'compare.remove'(input) {
      await data.removeComparison(input)
      return {}
    },
    async 'compare.open'({ id }) {
      const found = (await saved()).find((each) => each.id === id)
      if (found === undefined) throw new FaultError('input', 'id: This comparison is not kept any more.')
      if (found.first.kind !== 'list') return { comparison: found, list: null }
      const text = await plainText((await data.comparisonList({ id })).text)
      if (text === null) throw new FaultError('input', 'list: Its list cannot be read. Choose the file again.')
      const list = randomUUID()
      const read = readAssetList(found.listName ?? '', text, found.fields)
      return { comparison: { ...found, first: { kind: 'list', list } }, list: await keep(list, read) }
    },
  }
}

/** Returns the text of a kept list; null for one that is missing or damaged. */
async function plainText(compressed: Uint8Array | null): Promise<string | null> {
  if (compressed === null) return null
  const plain = await promisify(gunzip)(compressed, { maxOutputLength: 4 * importLimit }).catch(() => null)
  return plain === null ? null : plain.toString('utf8')
}

const keptOf = (comparison: SavedComparison, list: ReadList | null): KeptComparison => ({
  ...comparison,
  listName: list?.name ?? null,
  fields: list?.fields ?? [],
})
