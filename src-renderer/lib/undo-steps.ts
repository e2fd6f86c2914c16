import type { Answer } from '../../src-shared/contract/contract.ts'

/** The actions of this window that can be undone, the last one first. */
export interface UndoSteps<T> {
  /** Returns the next step to undo. */
  last(): T | null
  add(step: T): void
  /**
   * Reports the result of undoing the last step. A step that is rejected for good does not block the ones before it.
   */
  tried(answer: Answer<unknown>): void
}

/** The maximum number of steps. */
const maxSteps = 100

export function createUndoSteps<T>(): UndoSteps<T> {
  let steps: readonly T[] = []
  return {
    last: () => steps.at(-1) ?? null,
    add: (step) => void (steps = [...steps, step].slice(-maxSteps)),
    tried: (answer) => void (steps = answer.ok || answer.fault.kind === 'input' ? steps.slice(0, -1) : steps),
  }
}
