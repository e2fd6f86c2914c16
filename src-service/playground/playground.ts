import type { Bodies } from '../net/bodies.ts'
import type { KnownCredentials } from '../access/credentials.ts'
import type { Ledger } from '../graphql/points/ledger.ts'
import { isPassword } from '../access/passwords.ts'
import type { Session } from '../access/tokens.ts'
import { header, isJson, pathOf } from '../net/wire.ts'
import type { Answer, Request } from '../net/wire.ts'
import { readAssets } from './assets.ts'
import { startAttempts } from './attempts.ts'
import { choiceOf, cookieWith, isOwnPage, sessionIdOf, wantsPage } from './browser.ts'
import { asset, loginPage, playgroundPage, redirect, refusal } from './pages.ts'
import { startSessions } from './sessions.ts'
import type { Login } from './sessions.ts'
import type { Users } from './users.ts'

/** GraphiQL at the GraphQL address for browsers that log in as a local user (spec section 5.6). */
export type Playground = {
  /** Returns whether a request is for a page of the playground, or one of its files. */
  handles(request: Request): boolean
  answer(request: Request): Promise<Answer>
  /**
   * Returns the session of a playground page, by its cookie; null for any other request, and when the session has
   * expired.
   */
  session(request: Request): Session | null
}

type PlaygroundOptions = {
  users: Users
  credentials: KnownCredentials
  ledger: Ledger
  bodies: Bodies
  /** Milliseconds since 1970. */ now: () => number
}

const BELOW = '/graphql/playground/'

export function startPlayground(options: PlaygroundOptions): Playground {
  let loading: ReturnType<typeof readAssets> | undefined
  const assets = (): ReturnType<typeof readAssets> => (loading ??= readAssets())
  const parts = {
    ...options,
    assets,
    sessions: startSessions(options),
    attempts: startAttempts(options.now),
    check: oneAtATime(isPassword),
  }
  return {
    handles: (request) => (pathOf(request) === '/graphql' ? wantsPage(request) : pathOf(request).startsWith(BELOW)),
    answer: (request) => answer(parts, request),
    session(request) {
      // A form of another site can send a cookie in old browsers, but neither JSON nor the headers of our own page.
      if (request.method === 'POST' && !isJson(header(request, 'content-type'))) return null
      const login = isOwnPage(request) ? loginOf(parts, request) : null
      return login && parts.sessions.session(login, choiceOf(request) || null)
    },
  }
}

type Parts = PlaygroundOptions & {
  sessions: ReturnType<typeof startSessions>
  attempts: ReturnType<typeof startAttempts>
  check: typeof isPassword
  assets: typeof readAssets
}

async function answer(parts: Parts, request: Request): Promise<Answer> {
  const path = pathOf(request)
  const name = path.slice(BELOW.length)
  const isForm = name === 'login' || name === 'logout'
  if (isForm && request.method === 'POST') return handleForm(parts, request, name)
  request.resume()
  if (path === '/graphql') return mainPage(parts, request)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refusal(405, 'Use GET', { allow: isForm ? 'GET, HEAD, POST' : 'GET, HEAD' })
  if (isForm) return redirect('/graphql')
  const found = (await parts.assets()).get(name)
  return found ? asset(found, header(request, 'if-none-match')) : refusal(404, 'Nothing is served here')
}

async function handleForm(parts: Parts, request: Request, name: 'login' | 'logout'): Promise<Answer> {
  const body = await parts.bodies.read(request)
  if (!isOwnPage(request)) return refusal(403, 'The request came from another site')
  if (name === 'logout') return logOut(parts, request)
  return body === null ? refusal(413, 'The body is too large') : logIn(parts, request, new URLSearchParams(body))
}

function mainPage(parts: Parts, request: Request): Answer {
  const { sessions, ledger, now } = parts
  const login = loginOf(parts, request)
  if (!login) return loginPage({ status: 200, ...noticeOf(parts, request), headers: limitHeaders(ledger, null) })
  const requested = choiceOf(request) || null
  const session = sessions.session(login, requested)
  return playgroundPage({
    user: login.user.name,
    choices: sessions.choices(login.user),
    chosen: session && requested,
    left: login.expiresAt - now(),
    ...(session ? {} : { notice: 'That credential set is not there any more: all your tenants are shown.' }),
    headers: limitHeaders(ledger, session ?? login),
  })
}

function noticeOf({ users }: Parts, request: Request): { notice?: string } {
  if (sessionIdOf(request) !== null) return { notice: 'Your session is over. Log in again.' }
  if (users.list().some(({ passwordHash }) => passwordHash !== null)) return { notice: users.hint }
  return { notice: 'Nobody can log in yet: this service has no user with a password.' }
}

async function logIn(parts: Parts, request: Request, form: URLSearchParams): Promise<Answer> {
  const { users, attempts, check, sessions } = parts
  const [name, password] = [form.get('name') ?? '', form.get('password') ?? '']
  const wait = attempts.begin(name)
  if (wait > 0)
    return loginPage({
      status: 429,
      name,
      error: `There were too many attempts. Try again in ${wait} s.`,
      headers: { 'retry-after': String(wait) },
    })
  const user = users.list().find((one) => one.name === name)
  if (!(await check(password, user?.passwordHash ?? users.decoy)) || !user)
    return loginPage({ status: 401, name, error: 'The name or the password is wrong.' })
  attempts.succeeded(name)
  sessions.end(sessionIdOf(request) ?? '')
  return redirect('/graphql', { 'set-cookie': cookieWith(sessions.begin(user), 3600) })
}

function logOut({ sessions }: Parts, request: Request): Answer {
  sessions.end(sessionIdOf(request) ?? '')
  return redirect('/graphql', { 'set-cookie': cookieWith('', 0) })
}

function loginOf({ sessions }: Parts, request: Request): Login | null {
  const id = sessionIdOf(request)
  return id === null ? null : sessions.find(id)
}

/** Returns the headers of spec section 8, as on every response of that address. */
function limitHeaders(ledger: Ledger, session: Session | null): Record<string, string> {
  const { limit, remaining, secondsToReset } = ledger.balance(session?.set.clientId ?? null)
  return {
    'graphql-ratelimit-querycost': '0',
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(secondsToReset),
  }
}

/** Checks one password at a time: each takes 32 MiB and some tenths of a second, and the service stays responsive. */
function oneAtATime(work: typeof isPassword): typeof isPassword {
  let last: Promise<unknown> = Promise.resolve()
  return (password, stored) => {
    const next = last.then(() => work(password, stored))
    last = next.catch(() => undefined)
    return next
  }
}
