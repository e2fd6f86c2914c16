import { AsyncLocalStorage } from 'node:async_hooks'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { wait } from '../../../src-shared/lib/clock.ts'
import { answerTo, askedIn, type Answer, type Viewer } from './answers.ts'
import type { Far } from './far.ts'
import type { Guest } from './guest.ts'
import { lag } from './weather.ts'

/** The position of a request in the order of events and requests, known to its sender alone. */
export const askedAt = new AsyncLocalStorage<number>()

/** The service's requests, as one connection reaches them. */
export function fetchFor(far: Far, guest: Guest, viewer: Viewer): typeof globalThis.fetch {
  return async (url, init) => {
    const signal = init?.signal ?? new AbortController().signal
    const asked = askedAt.getStore() ?? -1
    await way(far, guest, signal)
    const answer = String(url).endsWith('/token') ? tokenOf(far) : answered(far, viewer, String(init?.body))
    await way(far, guest, signal)
    guest.crossing('page')
    if (guest.isDead()) return gone()
    for (const { device, word } of answer.told)
      far.oracle.read(device, word, asked, { isSure: answer.isReading && guest.isSure(), lists: answer.lists })
    return new Response(JSON.stringify(answer.body), { headers: priced })
  }
}

const priced = {
  'content-type': 'application/json',
  'graphql-ratelimit-querycost': '5',
  'ratelimit-limit': '100000',
  'ratelimit-remaining': '90000',
  'ratelimit-reset': '30',
}

/** The receiver is gone. */
const gone = (): Promise<never> => new Promise(() => {})

async function way({ clock, weather }: Far, guest: Guest, signal: AbortSignal): Promise<void> {
  if (weather.down) throw new FaultError('connect', 'down')
  await wait(clock, lag(weather), signal)
  if (guest.isDead()) await gone()
  if (weather.down) throw new FaultError('reset', 'down')
}

const tokenOf = (far: Far): Answer => ({
  body: { access_token: `t${(far.tokens += 1)}`, token_type: 'Bearer', expires_in: far.tokenSeconds },
  told: [],
  isReading: false,
  lists: false,
})

function answered({ weather, fleet, offer }: Far, viewer: Viewer, body: string): Answer {
  const asked = askedIn(body)
  if (asked.variables['tenant'] !== undefined && asked.variables['tenant'] === weather.brokenTenant) {
    return {
      body: { data: { tenant: null }, errors: [{ message: 'the region is down', path: ['tenant'] }] },
      told: [],
      isReading: false,
      lists: false,
    }
  }
  if (weather.draws.chance(weather.failing))
    throw new FaultError(weather.draws.of(['reset', 'http', 'timeout', 'not-json']), 'a bad minute')
  return answerTo(asked, fleet, viewer, offer)
}
