import { expect, test } from 'vitest'
import { longPage } from '../../../src-main/api/bounds.ts'
import type { Api, Reply } from '../../../src-main/api/client.ts'
import { devicesOperation } from '../../../src-main/api/operations.ts'
import { tooLarge } from '../../../src-main/auth/limited-text.ts'
import { readPages, type Page, type PagesInput } from '../../../src-main/sync/tenants/pages.ts'
import { createDialect } from '../../../src-main/api/dialect.ts'
import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

interface PageReply {
  ids: string[]
  nextToken: string | null
  totalCount?: number | null
  length?: number
}

const reply = ({ ids, nextToken, totalCount = null, length = 0 }: PageReply): Reply => ({
  errors: [],
  length,
  data: {
    tenant: {
      inventory: {
        deviceSearch: {
          edges: ids.map((id) => ({ node: { id } })),
          pageInfo: { totalCount, countOnPage: ids.length, nextToken, hasNextPage: nextToken !== null },
        },
      },
    },
  },
})

const rejection = (text: string, status = 400, kind: FaultKind = 'query') =>
  new FaultError(kind, text, { status, answerText: text })

function setup(
  answer: (nextToken: string | null, call: number, pageSize: number | undefined) => PageReply | FaultError,
) {
  const clock = manualClock()
  const calls: (string | null)[] = []
  let order = 0
  const api: Api = {
    async run({ variables }) {
      const { nextToken, pageSize } = variables['params'] as { nextToken: string | null; pageSize?: number }
      calls.push(nextToken)
      const result = answer(nextToken, calls.length, pageSize)
      if (result instanceof FaultError) throw result
      return reply(result)
    },
  }
  const input: PagesInput = {
    api,
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    operation: devicesOperation,
    lane: 'background',
    tenant: 't1',
    pageSize: 2,
    from: null,
    order: () => (order += 1),
  }
  const pages: Page[] = []
  const reading = (more: Partial<PagesInput> = {}) =>
    readPages({ ...input, ...more }, async (page) => {
      pages.push(page)
    })
  const take = (run: (page: Page) => Promise<void>) => readPages(input, run)
  return { clock, calls, pages, reading, take }
}

const kindOf = (error: unknown) => (error as FaultError).fault.kind

test('the same page with ever new tokens is an end without a total as well', async () => {
  const { reading, calls } = setup((_token, call) => ({
    ids: call === 1 ? ['a', 'b'] : ['c', 'd'],
    nextToken: `t${call}`,
  }))
  const fault = await reading().catch((error: unknown) => error)
  expect([kindOf(fault), (fault as FaultError).fault.detail, calls.length]).toEqual([
    'paging',
    '10 pages in a row without a device that had not come before',
    12,
  ])
})

test('the tokens are followed from null to the end', async () => {
  const { calls, pages, reading } = setup((token) =>
    token === null ? { ids: ['a', 'b'], nextToken: 'x' } : { ids: ['c'], nextToken: null },
  )
  await reading()
  expect(calls).toEqual([null, 'x'])
  expect(pages.flatMap(({ devices }) => devices.map(({ id }) => id))).toEqual(['a', 'b', 'c'])
})

test('each page has the time of its request', async () => {
  const { pages, reading } = setup((token) => ({ ids: ['a'], nextToken: token === null ? 'x' : null }))
  await reading()
  expect(pages.map(({ requestOrder }) => requestOrder)).toEqual([1, 2])
})

test('a repeated token is a fault and not an endless loop', async () => {
  const { calls, reading } = setup((_token, call) => ({ ids: [`d${call}`], nextToken: 'same' }))
  expect(kindOf(await reading().catch((error: unknown) => error))).toBe('paging')
  expect(calls.length).toBeLessThanOrEqual(3)
})

test('the initial token counts as seen', async () => {
  const { reading } = setup(() => ({ ids: ['a'], nextToken: 'x' }))
  expect(kindOf(await reading({ from: 'x' }).catch((error: unknown) => error))).toBe('paging')
})

test('more pages than the total allows are a fault', async () => {
  const { calls, reading } = setup((_token, call) => ({ ids: ['a', 'b'], nextToken: `t${call}`, totalCount: 10 }))
  expect(kindOf(await reading().catch((error: unknown) => error))).toBe('paging')
  expect(calls.length).toBeLessThan(30)
})

test('empty pages without end are a fault too', async () => {
  const { reading } = setup((_token, call) => ({ ids: [], nextToken: `t${call}`, totalCount: 3 }))
  expect(kindOf(await reading().catch((error: unknown) => error))).toBe('paging')
})

test('two empty pages at each boundary, each with a token of its own, are read through', async () => {
  const pages = 8
  const {
    calls,
    reading,
    pages: read,
  } = setup((_token, call) => ({
    ids: call % 3 === 1 ? [`d${call}`] : [],
    nextToken: call > pages * 3 - 3 ? null : `t${call}`,
    totalCount: pages,
  }))
  await reading()
  expect([calls.length, read.flatMap(({ devices }) => devices).length]).toEqual([pages * 3 - 2, pages])
})

test('tokens after the last device are followed for three pages, and are no fault', async () => {
  const { calls, reading } = setup((_token, call) => ({
    ids: call <= 3 ? [`d${call}`] : [],
    nextToken: `t${call}`,
    totalCount: 3,
  }))
  await reading()
  expect(calls).toHaveLength(6)
})

test('the same of a tenant without devices', async () => {
  const { calls, reading } = setup((_token, call) => ({ ids: [], nextToken: `t${call}`, totalCount: 0 }))
  await reading()
  expect(calls).toHaveLength(3)
})

test('a total that is only that of each page ends nothing', async () => {
  const { reading, pages: read } = setup((_token, call) => {
    const ids = call % 2 === 1 ? [`d${call}`] : []
    return { ids, nextToken: call < 7 ? `t${call}` : null, totalCount: ids.length }
  })
  await reading()
  expect(read.flatMap(({ devices }) => devices)).toHaveLength(4)
})

test('a passing fault is retried, the same page, with pauses', async () => {
  const { clock, calls, pages, reading } = setup((token, call) => {
    if (call === 2 || call === 3) return new FaultError('http', 'HTTP 500')
    return { ids: [`d${call}`], nextToken: token === null ? 'x' : null }
  })
  const done = reading()
  await clock.advance(60_000)
  await done
  expect(calls).toEqual([null, 'x', 'x', 'x'])
  expect(pages).toHaveLength(2)
})

test('after five tries it fails with the reason', async () => {
  const { clock, calls, reading } = setup(() => new FaultError('timeout'))
  const failed = reading().catch((error: unknown) => error)
  await clock.advance(10 * 60_000)
  expect(kindOf(await failed)).toBe('timeout')
  expect(calls).toHaveLength(5)
})

test('a useless answer is requested once more, with the reason as a fault meanwhile', async () => {
  for (const why of [
    new FaultError('no-data', 'no list of devices'),
    new FaultError('not-json', 'a web page', { status: 200 }),
  ]) {
    const retries: unknown[] = []
    const { clock, calls, reading } = setup(() => why)
    const failed = reading({ onRetry: (tenant, fault) => retries.push([tenant, fault]) }).catch(
      (error: unknown) => error,
    )
    await clock.advance(60_000)
    expect([await failed, calls, retries]).toEqual([
      why,
      [null, null],
      [
        ['t1', why.fault],
        ['t1', null],
      ],
    ])
  }
})

test.each(['credentials', 'token', 'forbidden', 'query'] as const)('%s is not retried', async (kind) => {
  const { calls, reading } = setup(() => new FaultError(kind))
  expect(kindOf(await reading().catch((error: unknown) => error))).toBe(kind)
  expect(calls).toHaveLength(1)
})

test('a page that is too expensive is not repeated: later pages are half as large', async () => {
  const sizes: unknown[] = []
  const { calls, pages, reading } = setup((token, call, size) => {
    sizes.push(size)
    if (call === 2 || call === 3) return new FaultError('cost-limit')
    return { ids: [`d${call}`], nextToken: token === null ? 'x' : call < 6 ? `t${call}` : null, totalCount: 6 }
  })
  await reading({ pageSize: 200 })
  expect(sizes).toEqual([200, 200, 100, 50, 50, 50])
  expect(calls).toEqual([null, 'x', 'x', 'x', 't4', 't5'])
  expect(pages.map(({ pageSize }) => pageSize)).toEqual([200, 50, 50, 50])
})

test('a page that no longer fits is made smaller before its request, and never larger again', async () => {
  const sizes: unknown[] = []
  const { reading } = setup((_token, call, size) => {
    sizes.push(size)
    return { ids: [`d${call}`], nextToken: call < 4 ? `t${call}` : null }
  })
  const fits = [200, 80, 500, 40]
  await reading({ pageSize: 200, fitting: () => fits.shift() ?? 1_000 })
  expect(sizes).toEqual([200, 80, 80, 40])
})

test('a page of one that is too expensive is a fault', async () => {
  const { calls, reading } = setup(() => new FaultError('cost-limit'))
  expect(kindOf(await reading({ pageSize: 4 }).catch((error: unknown) => error))).toBe('cost-limit')
  expect(calls).toHaveLength(3)
})

test('a cancel ends the pause before the next try', async () => {
  const stopping = new AbortController()
  const { reading } = setup(() => new FaultError('timeout'))
  const failed = reading({ signal: stopping.signal }).catch((error: unknown) => error)
  await settle()
  stopping.abort(new FaultError('stopped'))
  expect(kindOf(await failed)).toBe('stopped')
})

test('the next page is requested while one is processed', async () => {
  const { calls, take } = setup((token) => ({ ids: ['a'], nextToken: token === null ? 'x' : null }))
  const during: number[] = []
  await take(async () => {
    await settle()
    during.push(calls.length)
  })
  expect(during).toEqual([2, 2])
})

/** Sizes that a service with such a limit was asked for, and the limit that was learned. */
async function sizesUntil(limit: number, rejected: (size: number) => FaultError, from = 0, pages = 3) {
  const sizes: number[] = []
  const dialect = createDialect()
  const { reading } = setup((_token, call, size = 0) => {
    sizes.push(size)
    if (size > limit && call > from) return rejected(size)
    return { ids: [`d${call}`], nextToken: sizes.length < pages + 8 && call < pages + 8 ? `t${call}` : null }
  })
  await reading({ pageSize: 250, dialect })
  return { sizes, limit: dialect.pageLimit() }
}

test.each([
  ['as a query', (text: string) => rejection(text)],
  ['with a code of its own', (text: string) => rejection(text, 200, 'partial')],
  ['as an error of the server', (text: string) => rejection(text, 500, 'http')],
])("a page limit in the service's message is used from then on: %s", async (_form, make) => {
  const { sizes, limit } = await sizesUntil(100, () => make('pageSize must be between 1 and 100'))
  expect(sizes.slice(0, 3)).toEqual([250, 100, 100])
  expect(limit).toBe(100)
})

test('the number in the message is not trusted when that page is rejected as well', async () => {
  const { sizes, limit } = await sizesUntil(40, () => rejection('page size may be at most 100'))
  expect(sizes.slice(0, 5)).toEqual([250, 100, 50, 25, 25])
  expect(limit).toBe(25)
})

test('without a number the page is halved', async () => {
  expect((await sizesUntil(100, () => rejection('too many items requested'))).sizes.slice(0, 4)).toEqual([
    250, 125, 62, 62,
  ])
})

test('a limit that comes in the middle of a sync is learned there, with the same token', async () => {
  const { sizes, limit } = await sizesUntil(100, () => rejection('pageSize must be between 1 and 100'), 2)
  expect(sizes.slice(0, 5)).toEqual([250, 250, 250, 100, 100])
  expect(limit).toBe(100)
})

test.each([
  ['', 400, 'query'],
  ['Bad request', 200, 'partial'],
  ['Bad request', 400, 'http'],
] as const)('two rejections without a message are a limit: %j %i %s', async (text, status, kind) => {
  const { sizes, limit } = await sizesUntil(100, () => rejection(text, status, kind))
  expect(sizes.slice(0, 5)).toEqual([250, 62, 250, 62, 62])
  expect(limit).toBe(62)
})

test('a single rejection without a message leaves the size as it was', async () => {
  let rejections = 0
  const dialect = createDialect()
  const sizes: (number | undefined)[] = []
  const { reading } = setup((_token, call, size) => {
    sizes.push(size)
    return (rejections += 1) === 1 ? rejection('') : { ids: [`d${call}`], nextToken: call < 4 ? `t${call}` : null }
  })
  await reading({ pageSize: 250, dialect })
  expect([sizes, dialect.pageLimit()]).toEqual([[250, 62, 250, 250], null])
})

test('a page rejected at every size fails with the first message, and sets no limit', async () => {
  const dialect = createDialect()
  const { calls, reading } = setup(() => rejection('no'))
  expect(kindOf(await reading({ pageSize: 250, dialect }).catch((error: unknown) => error))).toBe('query')
  expect([calls.length, dialect.pageLimit()]).toEqual([5, null])
})

test('a token marked as the end, with more by the total, is followed', async () => {
  const clock = manualClock()
  let requests = 0
  const api: Api = {
    async run() {
      requests += 1
      const pageInfo = { totalCount: 3, nextToken: requests < 3 ? `t${requests}` : null, hasNextPage: false }
      return {
        errors: [],
        data: { tenant: { inventory: { deviceSearch: { edges: [{ node: { id: `d${requests}` } }], pageInfo } } } },
      }
    },
  }
  const input: PagesInput = {
    api,
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    operation: devicesOperation,
    lane: 'background',
    tenant: 't',
    pageSize: 1,
    from: null,
    order: () => 1,
  }
  const ids: string[] = []
  await readPages(input, async ({ devices }) => void ids.push(...devices.map(({ id }) => id)))
  expect(ids).toEqual(['d1', 'd2', 'd3'])
})

test('a page above the byte limit is requested in half its size, which is no service limit', async () => {
  const { sizes, limit } = await sizesUntil(100, () => new FaultError('http', tooLarge))
  expect(sizes.slice(0, 4)).toEqual([250, 125, 62, 62])
  expect(limit).toBeNull()
})

test('after a page above 1 MB the next is half as large, unless the size is ignored', async () => {
  const sizes = async (devices: number) => {
    const requested: (number | undefined)[] = []
    const { reading } = setup((_token, call, size) => {
      requested.push(size)
      return {
        ids: Array.from({ length: devices }, (_, at) => `d${call}-${at}`),
        nextToken: call < 3 ? `t${call}` : null,
        length: call === 1 ? longPage + 1 : longPage,
      }
    })
    await reading({ pageSize: 4 })
    return requested
  }
  expect(await sizes(4)).toEqual([4, 2, 2])
  expect(await sizes(5)).toEqual([4, 4, 4])
})
