import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { digAll, open, plainClient, socketClass } from '../client.ts'
import { createClient } from 'graphql-ws'
import { request } from 'undici'
import { onTestFinished } from 'vitest'

export const HOUR = 3_600_000
/** Time limit of tests that hash several passwords as for the disk, ms. */
export const slow = 30_000
export const users = [
  { name: 'ann', password: 'correct horse', admin: true },
  { name: 'bob', password: 'battery staple' },
]

/** A clock that starts at a whole minute, so that nothing depends on where in a window a test begins. */
export function turnedClock() {
  let time = Math.ceil(Date.now() / 60_000) * 60_000
  return { now: () => time, turn: (ms: number) => void (time += ms) }
}

/** A plain browser: sends what its pages send, follows no redirect by itself, and keeps a cookie. */
export function browser(service: Service, { h2 = true } = {}) {
  const { dispatcher } = plainClient(service, { h2 })
  const { origin } = new URL(service.graphqlUrl)
  const own = { origin, 'sec-fetch-site': 'same-origin' }
  let cookie = ''
  const send = async (
    place: string,
    method: 'GET' | 'POST',
    headers: Record<string, string>,
    body: string | null = null,
  ) => {
    const answer = await request(new URL(place, origin), {
      dispatcher,
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      body,
    })
    const set = answer.headers['set-cookie']
    if (set !== undefined) cookie = String(set).split(';')[0] ?? ''
    const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
    return { status: answer.statusCode, headers: flat, text: await answer.body.text() }
  }
  const page = (place = '/graphql') =>
    send(place, 'GET', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-site': 'none' })
  const form = (place: string, members: Record<string, string>, headers: Record<string, string> = own) =>
    send(
      place,
      'POST',
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      new URLSearchParams(members).toString(),
    )
  const logIn = (name: string, password: string, headers?: Record<string, string>) =>
    form('/graphql/playground/login', { name, password }, headers)
  const ask = async (
    query: string,
    { choice = '', headers = own }: { choice?: string; headers?: Record<string, string> } = {},
  ) => {
    const { text, ...rest } = await send(
      `/graphql${choice === '' ? '' : `?credentials=${choice}`}`,
      'POST',
      { 'content-type': 'application/json', ...headers },
      JSON.stringify({ query }),
    )
    return {
      ...rest,
      json: JSON.parse(text) as { data?: Record<string, unknown>; errors?: { extensions?: { code?: string } }[] },
    }
  }
  return {
    origin,
    own,
    page,
    form,
    logIn,
    ask,
    send,
    cookie: () => cookie,
    keep: (other: string) => void (cookie = other),
  }
}

export async function loggedIn(name = 'ann', options: ServiceOptions = {}) {
  const clock = turnedClock()
  const service = await open({
    users,
    now: clock.now,
    credentials: ({ tenants }) =>
      tenants().map(({ id }, at) => ({ name: `Set ${at}`, tenants: [id], role: 'user' as const })),
    ...options,
  })
  const window = browser(service)
  await window.logIn(name, users.find((user) => user.name === name)?.password ?? '')
  return { service, clock, window, sets: service.credentials.list() }
}

export const total = '{ deviceSearch { pageInfo { totalCount } } }'
export const countIn = ({ json }: { json: { data?: Record<string, unknown> } }) =>
  (json.data?.['deviceSearch'] as { pageInfo: { totalCount: number } } | null)?.pageInfo.totalCount
export const codesIn = ({ json }: { json: unknown }) =>
  digAll(json, 'errors').map((error) => (error as { extensions: { code: string } }).extensions.code)

/** A socket as the page opens it: with the cookie and its origin, and without a token. */
export function pageSocket(service: Service, headers: Record<string, string>, choice = '') {
  let settle: (code: number) => void = () => undefined
  const closed = new Promise<number>((resolve) => (settle = resolve))
  const client = createClient({
    url: service.subscriptionUrl + choice,
    webSocketImpl: socketClass(service, headers),
    retryAttempts: 0,
    lazy: true,
    on: { closed: (event) => settle((event as { code: number }).code) },
  })
  onTestFinished(async () => client.dispose())
  return { client, closed }
}
