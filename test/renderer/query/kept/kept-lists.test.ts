import { history, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { recalledState, rememberState } from '../../../../src-renderer/query/kept/editor-states.ts'
import { foldersOf } from '../../../../src-renderer/query/kept/folders.ts'
import { rejectionOf, runTitle, runWords } from '../../../../src-renderer/query/kept/run-text.ts'

const operation = (name: string, folder: string, document = '{ a }') => ({
  id: name,
  name,
  folder,
  document,
  variables: '',
})

test('folders are listed by name, with those of Muster last, and searched in names and texts', () => {
  const all = [operation('B', 'Muster'), operation('A', ''), operation('Z', 'Fleet', '{ licences }')]
  const names = (text: string) => foldersOf(all, text).map(({ name, operations }) => [name, operations.length])
  expect(names('')).toEqual([
    ['Saved', 1],
    ['Fleet', 1],
    ['Muster', 1],
    ['Muster', 12],
  ])
  expect(names('LICENCES')).toEqual([['Fleet', 1]])
  expect(names('nothing at all')).toEqual([])
  expect(new Set(foldersOf(all, '').map(({ id }) => id)).size).toBe(4)
})

test('a run says how it ended', () => {
  const outcome = { status: 200, fault: null, cost: 5, ms: 87 }
  const run = { operation: null, excerpt: '{ a }', isRunning: false, expected: 4.2, outcome }
  expect(runTitle(run)).toBe('{ a }')
  expect(runWords(run)).toBe('HTTP 200 · 5 points (expected 5) · 87 ms')
  expect(runWords({ ...run, outcome: { ...outcome, fault: 'query', cost: null } })).toBe(
    'HTTP 200 with errors · points not told (expected 5) · 87 ms',
  )
  expect(rejectionOf({ outcome: { ...outcome, fault: 'query' } })).toMatch(/error$/u)
  expect(runWords({ ...run, outcome: { status: null, fault: 'abort', cost: null, ms: null } })).toBe('Cancelled')
  expect(runWords({ ...run, outcome: { status: null, fault: 'timeout', cost: null, ms: null } })).toMatch(
    /^No answer: /u,
  )
  expect(runWords({ ...run, outcome: null })).toBe('Interrupted: Muster ended before the answer')
  expect(runWords({ ...run, outcome: { status: null, fault: 'stopped', cost: null, ms: null } })).toMatch(
    /^Interrupted/u,
  )
  expect(runWords({ ...run, outcome: null, isRunning: true })).toBe('Running')
})

test('an editor that is shown again undoes its own changes, and never those of another tab', () => {
  const extensions = [history()]
  const typed = (state: EditorState, text: string) => state.update({ changes: { from: 0, insert: text } }).state
  const undone = (state: EditorState) => {
    let after = state
    undo({ state, dispatch: (transaction) => void (after = transaction.state) })
    return after.doc.toString()
  }
  rememberState('one', typed(recalledState('one', '{ a }', extensions), '# first\n'))
  rememberState('two', typed(recalledState('two', '{ b }', extensions), '# second\n'))
  expect(undone(recalledState('one', '# first\n{ a }', extensions))).toBe('{ a }')
  expect(undone(recalledState('two', '# second\n{ b }', extensions))).toBe('{ b }')
  // The text was changed elsewhere meanwhile.
  expect(undone(recalledState('one', '{ other }', extensions))).toBe('{ other }')
})
