import { describe, expect, test } from 'vitest'
import { createQuery, isUnfinished } from '../../../src-renderer/inventory/filter/query.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import { parseFilter } from '../../../src-shared/filter/filter.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'

/** The question of a window, and what was asked one after the other. */
async function start() {
  const { pipe } = corePipe({ 'app.state': () => appState() })
  const session = startSession(pipe, manualClock())
  await settle()
  const asked: string[] = []
  const request = createQuery(session, (_, after) => asked.push(after.filter))
  const typed = (text: string, from = 0) => {
    for (let end = from + 1; end <= text.length; end += 1) request.type(text.slice(0, end))
    return request.view.get().filter
  }
  return { request, asked, typed }
}

describe('while a filter is typed', () => {
  test('a word that becomes a field was never a text filter: the filter before it is restored', async () => {
    const { request, asked, typed } = await start()
    expect(request.view.get().filter).toBe('connected:no spare:no')
    expect(typed('conected')).toBe('conected')
    expect(typed('conected:no', 8)).toBe('connected:no spare:no')
    expect(asked.slice(-2)).toEqual(['conected', 'connected:no spare:no'])
    request.type('conected')
    expect(typed('conected:', 8)).toBe('connected:no spare:no')
  })

  test('the terms before it stay in force; with its value it is queried', async () => {
    const { request, typed } = await start()
    expect(typed('berlin si')).toBe('berlin si')
    request.type('berlin site:')
    expect(request.view.get().filter).toBe('berlin')
    expect(typed('berlin site:Mitte', 12)).toBe('berlin site:Mitte')
  })

  test('a word at another position starts anew; one that was left is free text', async () => {
    const { request, typed } = await start()
    request.type('')
    typed('studio ')
    request.type('studio down:')
    expect(request.view.get().filter).toBe('studio')
    request.type('studios down:>2h', 7)
    request.type('studios down:>2h s')
    request.type('studios down:>2h s:')
    expect(request.view.get().filter).toBe('studios down:>2h')
  })

  test('an error in another term leaves the current filter in force', async () => {
    const { request } = await start()
    request.type('down:>2h stu')
    request.type('down:>2 stu', 7)
    expect(request.view.get().filter).toBe('down:>2h stu')
  })
})

describe('a value about to be typed is no error', () => {
  const unfinished = (text: string, caret: number | null = text.length) => {
    const [problem] = parseFilter(text).problems
    if (problem === undefined) throw new Error('there is a problem')
    return isUnfinished(problem, text, caret)
  }

  test.each(['site:', 'berlin -site:', 'down:', 'down:>', 'site:Berlin,', 'site:"', 'connected:'])('%s', (text) =>
    expect(unfinished(text)).toBe(true),
  )
  test.each(['connected:maybe', 'down:>soon', 'down:2'])('%s is an error', (text) =>
    expect(unfinished(text)).toBe(false),
  )
  test('a missing value is an error when the caret went elsewhere', () => {
    expect([unfinished('site: studio', 9), unfinished('site:', null), unfinished('site: studio', 5)]).toEqual([
      false,
      false,
      true,
    ])
  })
})
