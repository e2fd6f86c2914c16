import { largest } from '../../src-shared/lib/extremes.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { startPacer, type Pacer } from '../pacing/pacer.ts'
import type { Ports } from '../ports.ts'
import { setOf, type ManagedConnection } from './managed.ts'
import type { ConnectionRecord } from './stored/record.ts'
import type { CostStore } from './stored/cost-store.ts'

/** One pacer for each credential set, shared by all connections that use it (design, section 6). */
export interface Pacers {
  /** The pacers by their credential set, in the order in which they were started. */
  state(): ReadonlyMap<string, Pacer>
  /** Returns the pacer of the connection's credential set, and starts it if there is none. */
  of(record: Pick<ConnectionRecord, 'tokenUrl' | 'clientId'>): Pacer
  /** Stops the pacers of all other credential sets, and forgets their costs. */
  keep(sets: ReadonlySet<string>): void
  /** Applies a changed policy. */
  check(): void
  stop(): void
}

export interface PacersOptions {
  clock: Ports['clock']
  random: () => number
  policy: Parameters<typeof startPacer>[0]['policy']
  costs: Pick<CostStore, 'of' | 'changed' | 'forget'>
  onGauge: () => void
}

export function createPacers({ clock, random, policy, costs, onGauge }: PacersOptions): Pacers {
  const pacers = new Map<string, Pacer>()
  const startFor = (set: string) => {
    const onChange = () => {
      costs.changed(set)
      onGauge()
    }
    const pacer = startPacer({ clock, random, policy, costs: costs.of(set), onChange })
    pacers.set(set, pacer)
    return pacer
  }
  return {
    state: () => pacers,
    of(record) {
      const set = setOf(record)
      return pacers.get(set) ?? startFor(set)
    },
    keep(sets) {
      for (const [set, pacer] of pacers) {
        if (sets.has(set)) continue
        pacer.stop()
        pacers.delete(set)
        costs.forget(set)
      }
    },
    check() {
      for (const pacer of pacers.values()) pacer.check()
    },
    stop() {
      for (const pacer of pacers.values()) pacer.stop()
    },
  }
}

/** Returns the points that each credential set used in the last hour (the call `points.hour`). */
export function hoursOf(
  pacers: ReadonlyMap<string, Pacer>,
  entries: Iterable<ManagedConnection>,
): CallOutput<'points.hour'>['sets'] {
  const bySet = Map.groupBy(entries, ({ set }) => set)
  return [...pacers].map(([set, pacer]) => ({
    ...namedBy(bySet.get(set) ?? []),
    limit: pacer.gauge().limit,
    ...pacer.hour(),
  }))
}

const namedBy = (users: readonly ManagedConnection[]) => ({
  name: users.map(({ record }) => record.name).join(', '),
  connections: users.map(({ record }) => record.id),
})

/** Returns the gauge of each credential set, with the connections that use it and the forecast of their syncs. */
export function gaugesOf(pacers: ReadonlyMap<string, Pacer>, entries: Iterable<ManagedConnection>): Gauge[] {
  const bySet = Map.groupBy(entries, ({ set }) => set)
  return [...pacers].map(([set, pacer]) => {
    const users = bySet.get(set) ?? []
    const remaining = users.flatMap(({ runner }) => runner?.sync.remainingCost() ?? [])
    const points = remaining.reduce((sum, part) => sum + part.points, 0)
    const forecast =
      remaining.length === 0 ? null : pacer.forecast({ points, ms: largest(remaining.map(({ ms }) => ms)) })
    return { ...namedBy(users), ...pacer.gauge(), forecast }
  })
}
