/** One figure of a benchmark. docs/figures.md quotes these and nothing else. */
export interface BenchRow {
  name: string
  value: number
  unit: string
  /** The same measure of what it is compared with, taken in the same run; null when there is nothing to compare. */
  baseline: number | null
  /** What is aimed at, in the same unit; null when the figure is only told. */
  target: number | null
  /** Whether `value` meets `target`; null without a target. */
  holds: boolean | null
}

/** What may be set for a run. `hours`: of simulated time, for those that simulate it; null: as long as they usually do. */
export interface BenchOptions {
  hours: number | null
}

/** Each `*.bench.ts` exports this as `run`. */
export type Bench = (options: BenchOptions) => Promise<BenchRow[]>
