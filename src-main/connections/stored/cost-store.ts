import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createDialect, type Dialect, type KeptDialect } from '../../api/dialect.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { createCosts, type StoredCost, type Costs } from '../../pacing/cost/costs.ts'
import type { Log } from '../../ports.ts'

/** The costs of operations, and the dialect of each service, by credential set, stored over a restart. */
export interface CostStore {
  /** Returns the costs of a credential set, as stored. */
  of(set: string): Costs
  /**
   * Returns the stored dialect of a service for this credential set. `onChange` as in `createDialect`; a later call for
   * the same connection replaces its listener.
   */
  dialect(set: string, service: string, connection: string, onChange: (news: readonly string[]) => void): Dialect
  /** Marks a set as changed. */
  changed(set: string): void
  forget(set: string): void
  /** Forgets all sets but these. */
  keep(sets: ReadonlySet<string>): void
  /** Writes pending changes. */
  stop(): Promise<void>
}

/** Delay of a write, ms: costs change rarely, but each answer changes them a little. */
const withinMs = 30_000

const some = z.number().min(0).max(1e9)
const cost: z.ZodType<StoredCost> = z.object({
  key: z.string().max(100),
  once: some,
  each: some,
  points: z.array(z.object({ size: some.positive(), cost: some.positive(), n: some })).max(100),
  spread: some.max(1),
  steady: some.max(1),
  far: z.number().min(-1e9).max(1e9),
  seen: some,
  msPerItem: some,
  refused: some.positive().nullable(),
})

const dialect: z.ZodType<KeptDialect> = z.object({
  lacks: z.array(z.tuple([z.string().max(100), z.number()])).max(50),
  error: z.boolean().nullable(),
  errorParts: z.boolean().optional().catch(undefined),
  pageLimit: z.int().positive().nullable(),
  types: z
    .array(
      z.tuple([
        z.string().max(80),
        z
          .string()
          .max(80)
          .regex(/^\[?[A-Za-z_]\w*!?\]?!?$/),
      ]),
    )
    .max(50)
    .optional()
    .catch(undefined),
})
/** Reads also the older format without dialects, a list of costs. */
const kept = z.union([
  z.array(cost).transform((shapes) => ({ shapes, dialects: {} })),
  z.object({ shapes: z.array(cost).catch([]), dialects: z.record(z.string().max(2000), dialect).catch({}) }),
])

interface SetOfServices {
  prices: Costs
  dialects: Map<string, { dialect: Dialect; hear: Map<string, (news: readonly string[]) => void> }>
  /** The dialects as they were read. */
  kept: Record<string, KeptDialect>
}

interface CostStoreState {
  data: Pick<InventoryData, 'costs' | 'keepCosts'>
  clock: Clock
  log: Log
  sets: Map<string, SetOfServices>
  /** The texts as they are in the cache. */
  written: Map<string, string>
  changed: Set<string>
  cancel: (() => void) | null
}

/** Opens the store. Unreadable entries are dropped and learned again. */
export async function openCostStore({
  data,
  clock,
  log,
}: Pick<CostStoreState, 'data' | 'clock' | 'log'>): Promise<CostStore> {
  const state: CostStoreState = {
    data,
    clock,
    log,
    sets: new Map(),
    written: new Map(),
    changed: new Set(),
    cancel: null,
  }
  for (const { credentials, shapes } of await data.costs()) {
    const read = kept.safeParse(shapes)
    state.sets.set(credentials, {
      prices: createCosts(read.success ? read.data.shapes : []),
      dialects: new Map(),
      kept: read.success ? read.data.dialects : {},
    })
  }
  const forget = (set: string) => {
    if (!state.sets.delete(set)) return
    state.changed.delete(set)
    state.written.delete(set)
    data
      .keepCosts({ credentials: set, shapes: null })
      .catch(() => log('warn', 'prices that nobody needs could not be removed'))
  }
  return {
    of: (set) => setIn(state, set).prices,
    dialect: (set, service, connection, onChange) => dialectIn(state, set, service, connection, onChange),
    changed: (set) => changed(state, set),
    forget,
    keep(sets) {
      for (const set of state.sets.keys()) if (!sets.has(set)) forget(set)
    },
    async stop() {
      state.cancel?.()
      await write(state)
    },
  }
}

function setIn({ sets }: CostStoreState, set: string): SetOfServices {
  const known = sets.get(set) ?? { prices: createCosts(), dialects: new Map(), kept: {} }
  sets.set(set, known)
  return known
}

function dialectIn(
  state: CostStoreState,
  set: string,
  service: string,
  connection: string,
  onChange: (news: readonly string[]) => void,
): Dialect {
  const { dialects, kept: known } = setIn(state, set)
  const there = dialects.get(service)
  there?.hear.set(connection, onChange)
  if (there !== undefined) return there.dialect
  const hear = new Map([[connection, onChange]])
  const tell = (news: readonly string[]) => {
    changed(state, set)
    for (const each of hear.values()) each(news)
  }
  const kept = known[service]
  const made = createDialect({ now: state.clock.now, onChange: tell, ...(kept !== undefined && { kept }) })
  dialects.set(service, { dialect: made, hear })
  return made
}

function changed(state: CostStoreState, set: string): void {
  if (!state.sets.has(set)) return
  state.changed.add(set)
  state.cancel ??= state.clock.after(withinMs, () => void write(state))
}

/** Returns the set to store. Dialects that were not used in this run stay unchanged. */
function textOf(set: SetOfServices | undefined): { shapes: StoredCost[]; dialects: Record<string, KeptDialect> } {
  const now = [...(set?.dialects ?? [])].map(([service, { dialect: made }]) => [service, made.kept()] as const)
  return { shapes: set?.prices.kept() ?? [], dialects: { ...set?.kept, ...Object.fromEntries(now) } }
}

async function write(state: CostStoreState): Promise<void> {
  const { data, log, sets, written, changed } = state
  state.cancel = null
  for (const set of changed) {
    changed.delete(set)
    const shapes = textOf(sets.get(set))
    const text = JSON.stringify(shapes)
    if (written.get(set) === text) continue
    try {
      await data.keepCosts({ credentials: set, shapes })
      written.set(set, text)
    } catch {
      log('warn', 'prices could not be kept')
    }
  }
}
