import { SearchError } from '../../../world/search/search.ts'
import type { PageTokens } from '../../../graphql/schema/page-token.ts'
import type { Contrary } from '../contrary.ts'

const LONG = `.${'x'.repeat(4000)}`
const ODD = '{"é": [1, %20$} '

/**
 * Returns the same tokens in another form: very long, a number that is valid while the service runs, with characters
 * that need escaping; and valid for a limited time.
 */
export function formedTokens(tokens: PageTokens, { is }: Contrary, now: () => number): PageTokens {
  const numbered: string[] = []
  const formed = {
    plain: (token: string) => token,
    long: (token: string) => `${token}${LONG}`,
    number: (token: string) => String(numbered.push(token)),
    odd: (token: string) => `${ODD}${token}`,
  }
  const given = (token: string): string => {
    if (is.tokenForm === 'odd' && token.startsWith(ODD)) return token.slice(ODD.length)
    return is.tokenForm === 'number' ? (numbered[Number(token) - 1] ?? token) : token
  }
  return {
    write: (search, after) =>
      `${is.tokenLifeMs > 0 ? `${now()}~` : ''}${formed[is.tokenForm](tokens.write(search, after))}`,
    read(search, token) {
      if (token === '') throw new SearchError('nextToken is not valid')
      const [, at = null, dated = token] = /^(\d+)~(.*)$/s.exec(token) ?? []
      if (at !== null && is.tokenLifeMs > 0 && now() - Number(at) > is.tokenLifeMs)
        throw new SearchError('nextToken has expired')
      return tokens.read(search, given(dated))
    },
  }
}
