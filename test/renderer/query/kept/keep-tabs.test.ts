import { beforeEach, expect, test } from 'vitest'
import { keepTabs } from '../../../../src-renderer/query/kept/keep-tabs.ts'
import { isChanged, savedOf } from '../../../../src-renderer/query/kept/operations.ts'
import { tabTitle } from '../../../../src-renderer/query/kept/tab-title.ts'
import {
  activeTab,
  change,
  changeTab,
  closeTab,
  openTab,
  showTab,
  tabs,
  type Tabs,
} from '../../../../src-renderer/query/query-state.ts'
import type { Pipe } from '../../../../src-shared/contract/contract.ts'
import { createListeners } from '../../../../src-shared/lib/listeners.ts'
import { maxTabs, type QueryTab } from '../../../../src-shared/model/kept-queries.ts'
import { manualClock } from '../../../support/clock.ts'

const untouched = tabs.get()
beforeEach(() => tabs.set(untouched))

/** A core with these tabs, which it changes as it is asked; `fails`: it cannot write. */
function coreWith(kept: QueryTab[], active: string | null = null) {
  const state = { kept, active, fails: false, calls: [] as string[] }
  const reach = createListeners<[boolean]>()
  const fault = { ok: false, fault: { kind: 'storage', detail: '' } }
  const call = async (name: string, input: unknown) => {
    state.calls.push(name)
    if (name === 'queryTabs.list') return { ok: true, value: { tabs: state.kept, active: state.active } }
    if (state.fails) return fault
    const { id, order, active: shown } = input as { id: string; order: string[]; active: string }
    if (name === 'queryTabs.save')
      state.kept = [...state.kept.filter((each) => each.id !== id), structuredClone(input as QueryTab)]
    if (name === 'queryTabs.close') state.kept = state.kept.filter((each) => each.id !== id)
    if (name === 'queryTabs.arrange') {
      state.active = shown
      state.kept = state.kept.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
    }
    return { ok: true, value: {} }
  }
  return { state, reach, pipe: { call, onReach: reach.on } as unknown as Pick<Pipe, 'call' | 'onReach'> }
}

const tab = (id: string, document: string): QueryTab => ({
  id,
  document,
  variables: '{}',
  connection: null,
  operation: null,
  saved: null,
})
const documentsOf = ({ all }: Tabs) => all.map(({ document }) => document)

test('tabs of before are shown again, and what was opened meanwhile stays behind them', async () => {
  const { pipe, state } = coreWith([tab('a', '{ a }'), tab('b', '{ b }')], 'b')
  const clock = manualClock()
  const first = keepTabs(pipe, tabs, clock)
  await clock.advance(0)
  expect(documentsOf(tabs.get())).toEqual(['{ a }', '{ b }'])
  expect(activeTab(tabs.get()).id).toBe('b')
  first.stop()
  tabs.set(untouched)
  change({ document: '{ typed }' })
  keepTabs(pipe, tabs, clock).stop()
  await clock.advance(0)
  expect(documentsOf(tabs.get())).toEqual(['{ a }', '{ b }', '{ typed }'])
  expect(activeTab(tabs.get()).document).toBe('{ typed }')
  expect(state.kept).toHaveLength(2)
})

test('a change is written within a second, once, and nothing that did not change', async () => {
  const { pipe, state } = coreWith([tab('a', '{ a }'), tab('b', '{ b }')], 'a')
  const clock = manualClock()
  const keeping = keepTabs(pipe, tabs, clock)
  await clock.advance(1000)
  state.calls = []
  for (const letter of ['x', 'xy', 'xyz']) change({ document: `{ ${letter} }` })
  changeTab('b', { run: { is: 'running', id: 'r', at: 0 } })
  await clock.advance(1000)
  expect(state.calls).toEqual(['queryTabs.save'])
  expect(state.kept.find(({ id }) => id === 'a')?.document).toBe('{ xyz }')
  keeping.stop()
})

test('what could not be written is said, and written when the core is there again', async () => {
  const { pipe, state, reach } = coreWith([tab('a', '{ a }')])
  const clock = manualClock()
  const keeping = keepTabs(pipe, tabs, clock)
  await clock.advance(1000)
  state.fails = true
  change({ document: '{ new }' })
  await clock.advance(1000)
  expect(keeping.problem.get()).toMatchObject({ kind: 'storage' })
  state.fails = false
  reach.emit(true)
  await clock.advance(0)
  expect(keeping.problem.get()).toBeNull()
  expect(state.kept[0]?.document).toBe('{ new }')
  keeping.stop()
})

test('a closed tab goes, and comes back in its place by undo, also into the journal', async () => {
  const { pipe, state } = coreWith([tab('a', '{ a }'), tab('b', '{ b }'), tab('c', '{ c }')], 'b')
  const clock = manualClock()
  const keeping = keepTabs(pipe, tabs, clock)
  await clock.advance(1000)
  changeTab('b', { run: { is: 'running', id: 'r', at: 0 } })
  const closed = closeTab('b')
  await clock.advance(1000)
  expect(state.kept.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(activeTab(tabs.get()).id).toBe('c')
  closed?.undo()
  closed?.undo()
  await clock.advance(1000)
  expect(state.kept.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(activeTab(tabs.get())).toMatchObject({ id: 'b', run: { is: 'none' } })
  const other = closeTab('c')
  await clock.advance(1000)
  expect(state.kept.map(({ id }) => id)).toEqual(['a', 'b'])
  other?.undo()
  await clock.advance(1000)
  expect(state.kept.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  keeping.stop()
})

test('of the last tab an empty one stays, and more than fifty are not opened', () => {
  closeTab(activeTab(tabs.get()).id)
  expect(documentsOf(tabs.get())).toEqual([''])
  for (let n = 1; n < maxTabs; n += 1) expect(openTab()).not.toBeNull()
  expect(openTab()).toBeNull()
  expect(tabs.get().all).toHaveLength(maxTabs)
  showTab('none')
  expect(activeTab(tabs.get()).id).toBe(tabs.get().all.at(-1)?.id)
})

test('a tab too long to be kept is said, and the others are', async () => {
  const { pipe, state } = coreWith([tab('a', '{ a }')])
  const clock = manualClock()
  const keeping = keepTabs(pipe, tabs, clock)
  await clock.advance(1000)
  openTab({ document: 'x'.repeat(1_000_001) })
  openTab({ document: '{ short }' })
  await clock.advance(1000)
  expect(keeping.problem.get()).toMatchObject({ kind: 'input' })
  expect(state.kept.map(({ document }) => document)).toEqual(['{ a }', '{ short }'])
  keeping.stop()
})

test('a tab is called as what was saved, or as the operation in it', () => {
  const saved = { id: 's', name: 'Devices of Berlin', folder: '', document: '{ a }', variables: '{}' }
  const known = { all: [saved], fault: null }
  const shown = { saved: 's', document: '{ b }', variables: '{}', operation: null }
  expect(tabTitle(shown, known)).toBe('Devices of Berlin')
  expect([isChanged(shown, known), isChanged({ ...shown, document: '{ a }' }, known)]).toEqual([true, false])
  expect(savedOf({ saved: 'gone' }, known)).toBeNull()
  const document = 'query One { a } query Two { b }'
  expect(tabTitle({ saved: 'gone', document, operation: 'Two' }, known)).toBe('Two')
  expect(tabTitle({ saved: null, document, operation: null }, known)).toBe('One')
  expect(tabTitle({ saved: null, document: '{ a }', operation: null }, known)).toBe('Untitled')
})
