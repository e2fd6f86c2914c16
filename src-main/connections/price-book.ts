import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'
import type { Data } from '../data/protocol.ts'
import { createPrices, type KeptPrice, type Prices } from '../pacing/prices.ts'
import type { Log } from '../ports.ts'

/** What operations cost, by credential set, kept over a restart: what was learned once is not learned again. */
export interface PriceBook {
  /** Those of a set, as they were kept. */
  of(set: string): Prices
  /** Something may have been learned of it. */
  changed(set: string): void
  forget(set: string): void
  /** Forgets all but these. */
  keep(sets: ReadonlySet<string>): void
  /** Writes what waits. */
  stop(): Promise<void>
}

/** Prices change seldom, and each answer confirms them a little. */
const withinMs = 30_000

const some = z.number().min(0).max(1e9)
const price: z.ZodType<KeptPrice> = z.object({
  key: z.string().max(100), once: some, each: some, points: z.array(z.object({ size: some.positive(), cost: some.positive(), n: some })).max(100),
  spread: some.max(1), steady: some.max(1), far: z.number().min(-1e9).max(1e9), seen: some, msPerItem: some, refused: some.positive().nullable(),
})

interface Book {
  data: Pick<Data, 'prices' | 'keepPrices'>
  clock: Clock
  log: Log
  sets: Map<string, Prices>
  /** As they stand in the cache. */
  written: Map<string, string>
  changed: Set<string>
  cancel: (() => void) | null
}

/** What cannot be read of it is learned again. */
export async function openPriceBook({ data, clock, log }: Pick<Book, 'data' | 'clock' | 'log'>): Promise<PriceBook> {
  const book: Book = { data, clock, log, sets: new Map(), written: new Map(), changed: new Set(), cancel: null }
  for (const { credentials, shapes } of await data.prices()) {
    const read = z.array(price).safeParse(shapes)
    book.sets.set(credentials, createPrices(read.success ? read.data : []))
  }
  const forget = (set: string) => {
    if (!book.sets.delete(set)) return
    book.changed.delete(set)
    book.written.delete(set)
    data.keepPrices({ credentials: set, shapes: null }).catch(() => log('warn', 'prices that nobody needs could not be removed'))
  }
  return {
    of(set) {
      const known = book.sets.get(set) ?? createPrices()
      book.sets.set(set, known)
      return known
    },
    changed(set) {
      if (!book.sets.has(set)) return
      book.changed.add(set)
      book.cancel ??= clock.after(withinMs, () => void write(book))
    },
    forget,
    keep(sets) {
      for (const set of book.sets.keys()) if (!sets.has(set)) forget(set)
    },
    async stop() {
      book.cancel?.()
      await write(book)
    },
  }
}

async function write(book: Book): Promise<void> {
  const { data, log, sets, written, changed } = book
  book.cancel = null
  for (const set of changed) {
    changed.delete(set)
    const shapes = sets.get(set)?.kept() ?? []
    const text = JSON.stringify(shapes)
    if (written.get(set) === text) continue
    try {
      await data.keepPrices({ credentials: set, shapes })
      written.set(set, text)
    } catch {
      log('warn', 'prices could not be kept')
    }
  }
}
