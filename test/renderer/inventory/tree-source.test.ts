import { expect, test } from 'vitest'
import type { CallInput, CallOutput, Pipe } from '../../../src-shared/contract/contract.ts'
import { createTree } from '../../../src-renderer/inventory/tree/tree-source.ts'
import { rowAt } from '../../../src-renderer/lib/list/paged.ts'
import { manualClock, settle } from '../../support/clock.ts'

/** Two regions, each with two tenants. */
const children: Record<string, string[]> = { '': ['r1', 'r2'], r1: ['t1', 't2'], r2: ['t3', 't4'], t3: ['s1'] }
const parentOf = (id: string) => Object.entries(children).find(([, below]) => below.includes(id))?.[0] ?? ''

function treeOf({ expanded, offset, reveal }: CallInput<'inventory.tree'>): CallOutput<'inventory.tree'> {
  const open = new Set(expanded)
  for (let at = parentOf(reveal ?? ''); at !== ''; at = parentOf(at)) open.add(at)
  const below = (parent: string): string[] =>
    (children[parent] ?? []).flatMap((id) => [id, ...(open.has(id) ? below(id) : [])])
  const all = below('')
  const rows = all.map((id) => ({ id, name: id, parent: parentOf(id) || null, level: 1, expanded: open.has(id) }))
  const index = reveal === null ? null : all.indexOf(reveal)
  return { rev: 1, total: rows.length, offset, rows: rows as never, expanded: [...open], index }
}

function open() {
  const held: (() => void)[] = []
  let holds = false
  const call = async (_name: string, input: CallInput<'inventory.tree'>) => {
    if (holds && input.reveal !== null) await new Promise<void>((resolve) => held.push(resolve))
    return { ok: true, value: treeOf(input) }
  }
  const pipe = { call } as unknown as Pipe
  const tree = createTree(pipe, manualClock(), {
    shape: () => ({ sort: 'name' }),
    placeOf: ({ id, name }) => ({ id, name }) as never,
  })
  tree.lines.show(0, 20)
  const lines = () => {
    const now = tree.lines.state.get()
    return Array.from({ length: now.total ?? 0 }, (_, index) => rowAt(now, index)?.id)
  }
  const toggle = (id: string) => {
    const row = rowAt(tree.lines.state.get(), lines().indexOf(id))
    if (row !== undefined) tree.toggle(row)
  }
  return {
    tree,
    lines,
    toggle,
    hold: () => (holds = true),
    async release() {
      for (const go of held.splice(0)) go()
      await settle()
    },
  }
}

test('what is opened while a node is looked for stays open, and the cursor comes to the node', async () => {
  const { tree, lines, toggle, hold, release } = open()
  await settle()
  expect(lines()).toEqual(['r1', 't1', 't2', 'r2', 't3', 't4'])
  hold()
  tree.reveal('t4')
  toggle('t3')
  await settle()
  await release()
  await release()
  expect(lines()).toEqual(['r1', 't1', 't2', 'r2', 't3', 's1', 't4'])
  expect(lines()[tree.cursor.get().index]).toBe('t4')
})

test('what is closed while a node is looked for elsewhere stays closed', async () => {
  const { tree, lines, toggle, hold, release } = open()
  await settle()
  hold()
  tree.reveal('t4')
  toggle('r1')
  await settle()
  await release()
  await release()
  expect(lines()).toEqual(['r1', 'r2', 't3', 't4'])
  expect(lines()[tree.cursor.get().index]).toBe('t4')
})
