import type { AnswerSummary } from '../../../src-shared/model/query.ts'
import type { Answers } from '../answers/answers.ts'
import { sliceData, slicePage, type Slices } from './page-slices.ts'
import type { SlicePlan } from './paged-operation.ts'
import { rowsText, withoutNull, type RowTenant } from './row-text.ts'

/** What a page brought to the list of a run. */
export type TakenPage = Omit<Slices, 'rows'> & {
  rows: number
  /** Bytes that the rows take in the list. */
  bytes: number
  /** Not all of its rows fit into the list. */
  isFull: boolean
}

/**
 * The lists of rows that many answers make together, by the ids of their runs. A list has slots, one for each tenant, whose rows
 * follow each other in the order of the slots, whenever they came.
 */
export interface RowLists {
  /** Takes a part of an answer that is on its way to a slot, in order. */
  stage(id: string, slot: number, part: Uint8Array): void
  /** Drops the parts of an answer that is tried again. */
  unstage(id: string, slot: number): void
  /**
   * Cuts the rows out of the answer to a slot and appends them. `plan`: where they are; null: in its only list, or all of it is one
   * row. `most`: bytes that are left for the list.
   */
  takePage(id: string, slot: number, plan: SlicePlan | null, tenant: RowTenant | null, most: number): TakenPage
  /** Ends a slot whose tenant failed: after its rows stands one with the error. Null: takes that row away. */
  markFailed(id: string, slot: number, tenant: RowTenant | null, error: string | null): void
  /** Makes the answer of the list: one JSON list. It can be continued as another answer. */
  finishList(id: string): AnswerSummary
  /** Moves the rows of an ended list to another id, to be continued there; false where they are not kept any more. */
  continueList(from: string, to: string): boolean
  forgetList(id: string): void
}

interface Slot {
  staged: Uint8Array[]
  parts: Uint8Array[]
  failure: Uint8Array | null
}

interface RowList {
  slots: Map<number, Slot>
  /** The text of all, after `finishList`. */
  finished: boolean
}

const encoder = new TextEncoder()
const [openBracket, closeBracket, comma] = [0x5b, 0x5d, 0x2c]

export function createRowLists(answers: Answers): RowLists {
  const lists = new Map<string, RowList>()
  const listOf = (id: string): RowList => {
    const list = lists.get(id) ?? { slots: new Map(), finished: false }
    lists.set(id, list)
    return list
  }
  const slotOf = (id: string, slot: number): Slot => {
    const { slots } = listOf(id)
    const found = slots.get(slot) ?? { staged: [], parts: [], failure: null }
    slots.set(slot, found)
    return found
  }
  return {
    stage: (id, slot, part) => void slotOf(id, slot).staged.push(part),
    unstage(id, slot) {
      slotOf(id, slot).staged = []
    },
    takePage(id, slot, plan, tenant, most) {
      const into = slotOf(id, slot)
      const bytes = Buffer.concat(into.staged.splice(0))
      const slices = plan === null ? sliceData(bytes) : slicePage(bytes, plan)
      const { text, taken } = rowsText(bytes, slices.rows, tenant, most)
      if (taken > 0) into.parts.push(text)
      return { ...slices, rows: taken, bytes: text.length, isFull: taken < slices.rows.length / 2 }
    },
    markFailed(id, slot, tenant, error) {
      const row = { ...(tenant !== null && withoutNull(tenant)), error }
      slotOf(id, slot).failure = error === null ? null : encoder.encode(JSON.stringify(row))
    },
    finishList(id) {
      const list = listOf(id)
      const text = finished(list)
      list.finished = true
      answers.forget(id)
      answers.append(id, text)
      const summary = answers.finish(id)
      forgetGone(lists, answers)
      return summary
    },
    continueList(from, to) {
      const list = lists.get(from)
      if (list === undefined || answers.lines(from, 0, 1).length === 0) return false
      lists.delete(from)
      answers.forget(from)
      list.finished = false
      lists.set(to, list)
      return true
    },
    forgetList: (id) => void lists.delete(id),
  }
}

/** Forgets the lists whose answers gave way to later ones. */
function forgetGone(lists: Map<string, RowList>, answers: Answers): void {
  for (const [id, { finished: isDone }] of lists) if (isDone && answers.lines(id, 0, 1).length === 0) lists.delete(id)
}

/** Returns the text of a list, of which its slots are parts from now on: it is in memory once. */
function finished({ slots }: RowList): Uint8Array {
  const ordered = [...slots].toSorted(([one], [other]) => one - other).map(([, slot]) => slot)
  const size = ordered
    .flatMap(({ parts, failure }) => (failure === null ? parts : [...parts, failure]))
    .reduce((sum, part) => sum + part.length + 1, 1)
  const text = new Uint8Array(Math.max(2, size))
  let at = 0
  const write = (part: Uint8Array): Uint8Array => {
    text[at] = at === 0 ? openBracket : comma
    text.set(part, at + 1)
    at += part.length + 1
    return text.subarray(at - part.length, at)
  }
  for (const slot of ordered) {
    const from = at + 1
    for (const part of slot.parts) void write(part)
    slot.parts = at < from ? [] : [text.subarray(from, at)]
    if (slot.failure !== null) slot.failure = write(slot.failure)
  }
  if (at === 0) text[0] = openBracket
  text[Math.max(1, at)] = closeBracket
  return text
}
