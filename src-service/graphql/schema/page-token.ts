import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SearchError } from '../../world/search/search.ts'

/**
 * The opaque `nextToken` (spec section 4): the end of the previous page, and the search for which it is valid. It is
 * signed, so that it cannot be forged, and valid as long as its key.
 */
export type PageTokens = {
  write(search: string, after: readonly (string | number)[]): string
  /**
   * Returns the keys of a token. Throws a SearchError when it was not issued by this service, or for another search.
   */
  read(search: string, token: string): string[]
}

/** Starts the tokens. Another `key` invalidates those of an earlier service. */
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
