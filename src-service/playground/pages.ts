import type { CredentialSet } from '../access/credentials.ts'
import type { Answer } from '../net/wire.ts'
import type { Asset } from './assets.ts'

const common = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const closed = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

/** The login page runs no scripts. */
const loginPolicy = `${closed}; style-src 'self'; img-src 'self'`
/**
 * GraphiQL's editor writes its own style elements and attributes, and embeds its fonts and images in its style sheet.
 */
const playgroundPolicy = `${closed}; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src 'self' data:`

type LoginPage = {
  status: 200 | 401 | 429
  /** The name entered before. */
  name?: string
  /** The error to show. */
  error?: string
  /** A message that is not an error. */
  notice?: string
  headers?: Record<string, string>
}

export function loginPage({ status, name = '', error, notice, headers = {} }: LoginPage): Answer {
  const [nameFocus, passwordFocus] = name === '' ? [' autofocus', ''] : ['', ' autofocus']
  const wrong = error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"'
  const body = `<body class="login">
<main>
  <form method="post" action="/graphql/playground/login">
    <h1>Playground</h1>
    <p>Log in to query the device management service as a local user.</p>
    ${error === undefined ? '' : `<p id="error" class="error" role="alert">${escape(error)}</p>`}
    ${notice === undefined ? '' : `<p class="notice" role="status">${escape(notice)}</p>`}
    <label for="name">Name</label>
    <input id="name" name="name" value="${escape(name)}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required${nameFocus}${wrong}>
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required${passwordFocus}${wrong}>
    <button type="submit">Log in</button>
  </form>
</main>
</body>`
  return page(status, 'Log in to the playground', '', body, { ...headers, 'content-security-policy': loginPolicy })
}

type PlaygroundPage = {
  user: string
  choices: readonly Pick<CredentialSet, 'clientId' | 'name' | 'role'>[]
  /** The id of the chosen set; null: all tenants of the user. */
  chosen: string | null
  /** Milliseconds until the session expires. */
  left: number
  notice?: string
  headers: Record<string, string>
}

export function playgroundPage({ user, choices, chosen, left, notice, headers }: PlaygroundPage): Answer {
  const option = (id: string, text: string) =>
    `<option value="${escape(id)}"${id === (chosen ?? '') ? ' selected' : ''}>${escape(text)}</option>`
  const endpoint = chosen === null ? '/graphql' : `/graphql?credentials=${encodeURIComponent(chosen)}`
  const head =
    '<link rel="stylesheet" href="/graphql/playground/graphiql.css">\n<script src="/graphql/playground/graphiql.js" defer></script>\n<script src="/graphql/playground/playground.js" defer></script>'
  const body = `<body class="playground">
<header>
  <h1>Playground</h1>
  <form id="scope" method="get" action="/graphql">
    <label for="credentials">Access</label>
    <select id="credentials" name="credentials">
      ${[option('', 'All your tenants'), ...choices.map(({ clientId, name, role }) => option(clientId, `${name} (${role})`))].join('\n      ')}
    </select>
  </form>
  <p id="notice" role="status">${escape(notice ?? '')}</p>
  <form method="post" action="/graphql/playground/logout">
    <span class="user">${escape(user)}</span>
    <button type="submit">Log out</button>
  </form>
</header>
<div id="root" data-endpoint="${escape(endpoint)}" data-left="${Math.max(0, Math.floor(left))}"><noscript>The playground needs JavaScript.</noscript></div>
</body>`
  return page(200, 'Playground', head, body, { ...headers, 'content-security-policy': playgroundPolicy })
}

/** Returns a script, style sheet or image, which contains no user data and may be cached with revalidation. */
export function asset({ type, body, tag }: Asset, known: string | undefined): Answer {
  // A worker has the policy of its own script, not of the page.
  const headers = {
    ...common,
    'cache-control': 'no-cache',
    etag: tag,
    'content-type': type,
    'content-security-policy': closed,
  }
  return known === tag ? { status: 304, headers, body: '' } : { status: 200, headers, body }
}

export function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { ...common, ...headers, location }, body: '' }
}

export function refusal(status: 403 | 404 | 405 | 413, message: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { ...common, ...headers, 'content-type': 'text/plain; charset=utf-8' },
    body: `${message}\n`,
  }
}

function page(status: number, title: string, head: string, body: string, headers: Record<string, string>): Answer {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/graphql/playground/icon.svg" type="image/svg+xml">
${head}
<link rel="stylesheet" href="/graphql/playground/playground.css">
</head>
${body}
</html>
`
  return { status, headers: { ...common, ...headers, 'content-type': 'text/html; charset=utf-8' }, body: text }
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
