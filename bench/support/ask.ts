import type { Addresses } from './reference.ts'

/** Posts JSON to the service, with a token where one is given. Resolves with the parsed answer. */
export async function ask(
  fetch: typeof globalThis.fetch,
  url: string,
  body: unknown,
  token?: string,
): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** Resolves with an access token. */
export async function tokenOf(
  fetch: typeof globalThis.fetch,
  { tokenUrl, clientId, clientSecret }: Addresses,
): Promise<string> {
  const grant = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  return ((await ask(fetch, tokenUrl, grant)) as { access_token: string }).access_token
}
