import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createDialect, type Dialect, type StoredDialect } from '../../api/dialect.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import { createCosts, type Costs } from '../../pacing/cost/costs.ts'
import type { StoredCost } from '../../pacing/cost/learned.ts'
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
const writeDelayMs = 30_000

const amount = z.number().min(0).max(1e9)
const rejectedSize = amount.positive().nullable()
const costFields = {
  key: z.string().max(100),
  once: amount,
  each: amount,
  /** Former versions stored none: they are learned with the next use. */
  features: z
    .array(
      z.object({
        root: z.string().max(100),
        of: z.array(z.tuple([z.string().max(100), z.number().min(0).max(1e15), z.int().min(0).max(100)])).max(150),
      }),
    )
    .max(150)
    .optional()
    .catch(undefined),
  points: z.array(z.object({ size: amount.positive(), cost: amount.positive(), n: amount })).max(100),
  spread: amount.max(1),
  steady: amount.max(1),
  far: z.number().min(-1e9).max(1e9),
  seen: amount,
  msPerItem: amount,
}
/** Former versions stored `rejectedSize` as `refused`. */
const cost: z.ZodType<StoredCost> = z.union([
  z.object({ ...costFields, rejectedSize }),
  z
    .object({ ...costFields, refused: rejectedSize })
    .transform(({ refused, ...stored }) => ({ ...stored, rejectedSize: refused })),
])

const dialect: z.ZodType<StoredDialect> = z.object({
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
const stored = z.union([
  z.array(cost).transform((shapes) => ({ shapes, dialects: {} })),
  z.object({ shapes: z.array(cost).catch([]), dialects: z.record(z.string().max(2000), dialect).catch({}) }),
])

interface StoredSet {
  costs: Costs
  dialects: Map<string, { dialect: Dialect; listeners: Map<string, (news: readonly string[]) => void> }>
  /** The dialects as they were read. */
  stored: Record<string, StoredDialect>
}

interface CostStoreState {
  data: Pick<InventoryData, 'costs' | 'saveCosts'>
  clock: Clock
  log: Log
  sets: Map<string, StoredSet>
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
    const read = stored.safeParse(shapes)
    state.sets.set(credentials, {
      costs: createCosts(read.success ? read.data.shapes : []),
      dialects: new Map(),
      stored: read.success ? read.data.dialects : {},
    })
  }
  const forget = (set: string) => {
    if (!state.sets.delete(set)) return
    state.changed.delete(set)
    state.written.delete(set)
    data
      .saveCosts({ credentials: set, shapes: null })
      .catch(() => log('warn', 'costs of a removed credential set could not be removed'))
  }
  return {
    of: (set) => setIn(state, set).costs,
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

function setIn({ sets }: CostStoreState, set: string): StoredSet {
  const known = sets.get(set) ?? { costs: createCosts(), dialects: new Map(), stored: {} }
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
  const { dialects, stored: known } = setIn(state, set)
  const existing = dialects.get(service)
  existing?.listeners.set(connection, onChange)
  if (existing !== undefined) return existing.dialect
  const listeners = new Map([[connection, onChange]])
  const notify = (news: readonly string[]) => {
    changed(state, set)
    for (const each of listeners.values()) each(news)
  }
  const stored = known[service]
  const created = createDialect({ now: state.clock.now, onChange: notify, ...(stored !== undefined && { stored }) })
  dialects.set(service, { dialect: created, listeners })
  return created
}

function changed(state: CostStoreState, set: string): void {
  if (!state.sets.has(set)) return
  state.changed.add(set)
  state.cancel ??= state.clock.after(writeDelayMs, () => void write(state))
}

/** Returns the set to store. Dialects that were not used in this run stay unchanged. */
function textOf(set: StoredSet | undefined): { shapes: StoredCost[]; dialects: Record<string, StoredDialect> } {
  const now = [...(set?.dialects ?? [])].map(([service, { dialect: created }]) => [service, created.stored()] as const)
  return { shapes: set?.costs.stored() ?? [], dialects: { ...set?.stored, ...Object.fromEntries(now) } }
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
      await data.saveCosts({ credentials: set, shapes })
      written.set(set, text)
    } catch {
      log('warn', 'costs could not be stored')
    }
  }
}
