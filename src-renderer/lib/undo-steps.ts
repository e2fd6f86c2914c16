import type { Answer } from '../../src-shared/contract/contract.ts'

/** Acts of this window that can be taken back, one after the other, the last one first. */
export interface UndoSteps<T> {
  /** The one that is taken back next. */
  last(): T | null
  add(step: T): void
  /** It was tried to take the last one back. What is refused for good does not stand in the way of the ones before. */
  tried(answer: Answer<unknown>): void
}

/** More steps than this nobody goes back. */
const mostSteps = 100

export function createUndoSteps<T>(): UndoSteps<T> {
  let steps: readonly T[] = []
  return {
    last: () => steps.at(-1) ?? null,
    add: (step) => void (steps = [...steps, step].slice(-mostSteps)),
    tried: (answer) => void (steps = answer.ok || answer.fault.kind === 'input' ? steps.slice(0, -1) : steps),
  }
}
