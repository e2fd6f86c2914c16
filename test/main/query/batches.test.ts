import { expect, test } from 'vitest'
import type { Raw, RawRequest } from '../../../src-main/api/raw.ts'
import { createCosts } from '../../../src-main/pacing/cost/costs.ts'
import { createAnswers } from '../../../src-main/query/answers/answers.ts'
import type { AnswersThread } from '../../../src-main/query/answers/client.ts'
import { openBatches } from '../../../src-main/query/batch/batches.ts'
import { createRowLists } from '../../../src-main/query/batch/row-lists.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

const document = 'query Q($p: DeviceFindArgs) { deviceSearch(params: $p) { edges { node { v } } } }'
const batch = { connections: ['c'], document, operation: null, variables: {}, pages: true, tenants: false }

interface Page {
  rows: unknown[]
  next: string | null
  more?: boolean
  total?: number
}

/** A service that answers each token (null: the first page) with a page, or fails. */
function opened(answerTo: (token: string | null, request: RawRequest) => Page | FaultError, mostBytes?: number) {
  const requests: RawRequest[] = []
  const answers = createAnswers()
  const calls = { ...answers, ...createRowLists(answers) }
  const thread = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      async (...input: never[]) => (call as (...all: never[]) => unknown)(...input),
    ]),
  ) as unknown as AnswersThread
  const raw: Raw = {
    expects: () => 7,
    redact: (text) => text,
    once: () => expect.fail('not a mutation'),
    pacing: {
      costs: createCosts(),
      forecast: ({ points, ms }) => ({ points, windows: 0, doneAt: ms }),
      holdsUntil: () => null,
    },
    async run(request) {
      requests.push(request)
      // What never ends by itself must not keep the test running.
      if (requests.length > 200) throw new FaultError('internal', 'too many requests')
      const { p } = request.variables as { p?: { nextToken?: string } }
      const page = answerTo(p?.nextToken ?? null, request)
      request.sink.restart()
      if (page instanceof FaultError) throw page
      const { rows, next, more = next !== null, total } = page
      const pageInfo = { nextToken: next, hasNextPage: more, totalCount: total }
      await request.sink.write(
        JSON.stringify({ data: { deviceSearch: { edges: rows.map((node) => ({ node })), pageInfo } } }),
      )
      return { status: 200, headers: [], ms: 1, cost: 5, isWhole: true, fault: null }
    },
  }
  const clock = manualClock()
  const batches = openBatches({
    answers: thread,
    data: { locations: async () => ({ devices: [], tenants: [], nodes: [], withdrawn: [] }) },
    raw: () => raw,
    clock,
    random: () => 0,
    keep: () => {},
    history: { enter: (_run, work) => work() },
    ...(mostBytes !== undefined && { mostBytes }),
  })
  const run = (id: string, again: string | null = null) => batches.handlers['query.runBatch']({ run: id, batch, again })
  return { requests, batches, run, clock, rows: (id: string) => JSON.parse(answers.text(id, 0).text) as unknown[] }
}

/** Endless pages of two rows. */
const endless = (token: string | null): Page => ({
  rows: [{ v: `${token}a` }, { v: `${token}b` }],
  next: String(Number(token) + 1),
})

test('the first page goes before all others, the following ones leave the operator’s reserve', async () => {
  const { requests, run } = opened((token) => (token === '3' ? { rows: [], next: null } : endless(token)))
  const { answer, outcome } = await run('a')
  expect(requests.map(({ lane }) => lane)).toEqual(['person', 'visible', 'visible', 'visible'])
  expect([outcome.rows, outcome.pages, outcome.points, answer.cost, outcome.stopped]).toEqual([6, 4, 20, 20, null])
})

test('a list takes no more memory than it may, and says that it is cut', async () => {
  const { requests, run, rows } = opened(endless, 1_000)
  const { answer, outcome } = await run('a')
  expect([outcome.isFull, outcome.canContinue, outcome.stopped, answer.isWhole]).toEqual([true, false, null, false])
  expect(answer.summary.bytes).toBeLessThanOrEqual(1_001)
  expect([rows('a').length, outcome.rows > 50, requests.length]).toEqual([
    outcome.rows,
    true,
    Math.ceil((outcome.rows + 1) / 2),
  ])
})

test.each<[string, (token: string | null) => Page, string, number]>([
  ['the same token comes again', () => ({ rows: [{ v: 1 }], next: 'same' }), 'the same token came twice', 2],
  [
    'tokens come in a circle',
    (token) => ({ rows: [{ v: 1 }], next: token === 'a' ? 'b' : 'a' }),
    'the same token came twice',
    3,
  ],
  [
    'pages are empty without end',
    (token) => ({ rows: [], next: String(Number(token) + 1) }),
    '10 pages in a row without a row',
    0,
  ],
  [
    'there is more, and no token',
    () => ({ rows: [{ v: 1 }], next: null, more: true }),
    'there are more pages, and no token for the next one',
    1,
  ],
  ['rows are far more than the total', (token) => ({ ...endless(token), total: 10 }), 'more than 35 rows', 36],
])('a run ends, with what was read, where %s', async (_what, page, detail, count) => {
  const { run, rows } = opened(page)
  const { outcome } = await run('a')
  expect([outcome.stopped, rows('a').length]).toEqual([{ kind: 'paging', detail }, count])
})

test('a cut network is tried again, and what stays cut leaves the rows and is continued', async () => {
  let fails = 2
  const { requests, run, clock, rows } = opened((token) => {
    if (token === '1' && fails > 0) {
      fails -= 1
      return new FaultError('reset')
    }
    return token === '2' ? { rows: [{ v: 'last' }], next: null } : endless(token)
  })
  const first = run('a')
  await clock.advance(10_000)
  expect((await first).outcome).toMatchObject({ rows: 5, stopped: null })
  expect(requests).toHaveLength(5)
  fails = 5
  const second = run('b')
  await clock.advance(60_000)
  expect((await second).outcome).toMatchObject({ rows: 2, stopped: { kind: 'reset' }, canContinue: true })
  const third = await run('c', 'b')
  expect([third.outcome.stopped, rows('c')]).toEqual([null, rows('a')])
  await expect(run('d', 'b')).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('a run that waits for a try is ended by the operator at once', async () => {
  const { run, batches } = opened((token) => (token === null ? endless(token) : new FaultError('reset')))
  const ending = run('a')
  await expect
    .poll(async () => (await batches.handlers['query.batchProgress']({ run: 'a' })).progress?.retrying, {
      timeout: 10_000,
    })
    .toEqual({ kind: 'reset', detail: '' })
  batches.cancel('a')
  expect((await ending).outcome).toMatchObject({ rows: 2, stopped: { kind: 'abort' }, canContinue: true })
})
