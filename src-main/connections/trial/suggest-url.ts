import { withoutEndSlashes } from '../../../src-shared/connections/address.ts'

/**
 * Returns the address that was probably meant when this one does not end in its usual path (service-spec.md, section
 * 4): the path is missing, repeated, or followed by another. Null when it looks correct. Without its query.
 */
export function suggestUrl(address: string, usual: '/oauth/token' | '/graphql'): string | null {
  const { protocol, host, pathname } = new URL(address)
  const path = withoutEndSlashes(pathname)
  if (path === usual) return null
  const first = path.indexOf(usual)
  const cut = path.slice(0, first + usual.length)
  if (first >= 0 && cut !== path) return `${protocol}//${host}${cut}`
  return `${protocol}//${host}${first >= 0 || /\/(graphql|oauth|token)\b/.test(path) ? '' : path}${usual}`
}
