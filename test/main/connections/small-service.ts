import type { Link } from '../../../src-main/ports.ts'
import type { ManualClock } from '../../support/clock.ts'
import { dialled, type Far } from '../live/dialled.ts'

/** A service of one tenant on a clock that the test turns. What it does wrong, the test says. */
export interface SmallService {
  link: Link
  fars: Far[]
  /** By id: whether the device is connected. */
  devices: Map<string, boolean>
  /** Names of the operations that it was asked. */
  asked: string[]
  /** While set, the service grants no token, rejects its own tokens, answers no query, sends such a `Date`, or has no points left until then, ms since the epoch. */
  wrong: { grants: boolean; takes: boolean; answers: boolean; date: number | null; spentUntil: number | null }
}

export function smallService(clock: ManualClock): SmallService {
  const { link, fars } = dialled()
  const service: SmallService = {
    link: { ...link, fetch: async (url, init) => answer(service, clock, String(url), String(init?.body)) },
    fars,
    devices: new Map([
      ['d1', true],
      ['d2', false],
    ]),
    asked: [],
    wrong: { grants: false, takes: false, answers: false, date: null, spentUntil: null },
  }
  return service
}

function answer(service: SmallService, clock: ManualClock, url: string, body: string): Response {
  const { wrong, asked } = service
  if (url.endsWith('/token'))
    return wrong.grants
      ? new Response('', { status: 503 })
      : Response.json({ access_token: `t-${clock.now()}-${asked.length}`, token_type: 'Bearer', expires_in: 86_400 })
  const name = /query (\w+)/.exec(body)?.[1] ?? ''
  asked.push(name)
  const headers = headersOf(service, clock)
  if (wrong.takes)
    return Response.json(
      { errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }] },
      { status: 401, headers },
    )
  if (wrong.answers) return new Response('', { status: 503, headers })
  return Response.json({ data: dataOf(service, name) }, { headers })
}

function headersOf({ wrong }: SmallService, clock: ManualClock): Record<string, string> {
  const remaining = wrong.spentUntil === null ? 90_000 : 0
  const reset = wrong.spentUntil === null ? 60 : Math.ceil((wrong.spentUntil - clock.now()) / 1_000)
  const date = wrong.date === null ? {} : { date: new Date(wrong.date).toUTCString() }
  return {
    'graphql-ratelimit-querycost': '10',
    'ratelimit-limit': '100000',
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
    ...date,
  }
}

function dataOf({ devices }: SmallService, name: string): unknown {
  if (name === 'Tenants') return { tenants: [{ id: 'a', name: 'Acme', region: null }] }
  if (name === 'Schema') return { params: { inputFields: [{ name: 'filter' }] } }
  const edges = [...devices].map(([id, connected]) => ({ node: { id, name: id, connected } }))
  return {
    tenant: {
      inventory: { deviceSearch: { edges, pageInfo: { totalCount: null, nextToken: null, hasNextPage: false } } },
    },
  }
}
