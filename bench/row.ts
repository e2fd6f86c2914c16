/** One result of a benchmark. docs/figures.md quotes only these. */
export interface BenchRow {
  name: string
  value: number
  unit: string
  /** The same measure of the baseline, taken in the same run; null without one. */
  baseline: number | null
  /** The target, in the same unit; null when there is none. */
  target: number | null
  /** True when `value` meets `target`; null without a target. */
  holds: boolean | null
}

/** Options of a run. `hours`: of simulated time, for simulations; null: their default. */
export interface BenchOptions {
  hours: number | null
}

/** Each `*.bench.ts` exports this as `run`. */
export type Bench = (options: BenchOptions) => Promise<BenchRow[]>
