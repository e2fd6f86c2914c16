import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { AnswerLine } from '../../../src-shared/model/query.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** The lines of an answer that are in the window. */
export interface JsonLines {
  /** Increases when lines have come, or a fold has changed. */
  state: Store<number>
  /** Number of the lines that are not folded away. */
  count(): number
  /** The line (of the answer, from 0) at a place of the shown ones. */
  lineAt(place: number): number
  /** The place of a line among the shown ones; of the fold that hides it. */
  placeOf(line: number): number
  /** Returns a line; undefined while it is read. */
  get(line: number): AnswerLine | undefined
  /** Returns whether the core no longer keeps the answer: it has been started again, or others came after it. */
  isGone(): boolean
  isFolded(line: number): boolean
  /** Folds or unfolds what a line opens. */
  toggle(line: number): void
  /** Unfolds all that hides a line. */
  reveal(line: number): void
}

/** Returns the folds that are in no other one, in order. */
function outermost(folds: ReadonlyMap<number, number>): [number, number][] {
  const all = [...folds].toSorted(([one], [other]) => one - other)
  let end = -1
  return all.filter(([line, closes]) => {
    if (line <= end) return false
    end = closes
    return true
  })
}

/** Lines of one reading. */
const pageLines = 250

/** Creates the lines of an answer with so many lines. */
export function createJsonLines(pipe: Pipe, run: string, total: number): JsonLines {
  const state = createStore(0)
  const pages = new Map<number, readonly AnswerLine[]>()
  const asked = new Set<number>()
  /** Folded lines with the lines that close them, in order; those within another one too. */
  const folds = new Map<number, number>()
  let gone = false
  const notify = () => state.set(state.get() + 1)

  /** The folds that are in no other one: each drawn line is found among them. */
  let outer: [number, number][] = []
  const refold = () => {
    outer = outermost(folds)
    notify()
  }
  async function read(page: number) {
    if (asked.has(page)) return
    asked.add(page)
    const answer = await pipe.call('query.lines', { run, from: page * pageLines, count: pageLines })
    // Read again when it is drawn the next time, and not at once: the core may be away for long.
    if (!answer.ok) return void asked.delete(page)
    gone = answer.value.lines.length === 0
    pages.set(page, answer.value.lines)
    notify()
  }
  const get = (line: number) => {
    const page = Math.floor(line / pageLines)
    const found = pages.get(page)
    if (found === undefined) void read(page)
    return found?.[line % pageLines]
  }
  return {
    state,
    count: () => outer.reduce((count, [line, closes]) => count - (closes - line), total),
    lineAt(place) {
      let at = place
      for (const [line, closes] of outer) {
        if (line >= at) break
        at += closes - line
      }
      return at
    },
    placeOf(line) {
      let place = line
      for (const [folded, closes] of outer) {
        if (folded >= line) break
        place -= Math.min(closes, line) - folded
      }
      return place
    },
    get,
    isGone: () => gone,
    isFolded: (line) => folds.has(line),
    toggle(line) {
      const closes = get(line)?.closes ?? 0
      if (closes === 0) return
      if (!folds.delete(line)) folds.set(line, closes)
      refold()
    },
    reveal(line) {
      let changed = false
      for (const [folded, closes] of folds)
        if (folded < line && line <= closes) changed = folds.delete(folded) || changed
      if (changed) refold()
    },
  }
}
