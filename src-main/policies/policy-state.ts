import type { NodeThresholds } from '../../src-shared/model/incidents.ts'

/** The operator's policies as incidents are evaluated by them, beside the settings. */
export interface PolicyState {
  /** Thresholds by node id. */
  nodes: ReadonlyMap<string, NodeThresholds>
  /**
   * Returns the maintenance window that is active now for a path of node ids (deepest first); of several, the one that
   * ends last. Returns null when there is none. `id` is that of this run.
   */
  maintenanceAt(path: readonly string[], now: number): { id: string; name: string; node: string; until: number } | null
  /** Returns the end of a run of a window (ms); null when it is over. */
  maintenanceUntil(id: string, now: number): number | null
  /**
   * Returns the window over a path that was active at some moment of the span and is over at `now`; of several, the one
   * that ended last. Returns null when there is none.
   */
  endedMaintenance(
    path: readonly string[],
    span: { from: number; until: number },
    now: number,
  ): { id: string; name: string; node: string; until: number } | null
}
