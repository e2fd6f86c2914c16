import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SearchError } from '../../world/search/search.ts'

/**
 * The opaque `nextToken` (spec section 4): where the page before ended, and for which search it is good. It is signed, so
 * that nobody can make one up. It is good as long as its key is.
 */
export type PageTokens = {
  write(search: string, after: readonly (string | number)[]): string
  /** Throws a SearchError when the token was not given out by this service, or for another search. */
  read(search: string, token: string): string[]
}

/** Another `key` makes another service's tokens good for nothing. */
export function startPageTokens(key: Uint8Array = randomBytes(32)): PageTokens {
  const sign = (body: string): string => createHmac('sha256', key).update(body).digest('base64url').slice(0, 24)
  return {
    write(search, after) {
      const body = Buffer.from(JSON.stringify({ s: search, a: after })).toString('base64url')
      return `${body}.${sign(body)}`
    },
    read(search, token) {
      const [body = '', signature = ''] = token.split('.')
      const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(body))]
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
        throw new SearchError('nextToken is not valid')
      const content: { s: string; a: string[] } = JSON.parse(Buffer.from(body, 'base64url').toString())
      if (content.s !== search) throw new SearchError('nextToken belongs to another search')
      return content.a
    },
  }
}
