/**
 * What Chromium says about the way to an address (`Session.resolveProxy`: "DIRECT", "PROXY host:port; DIRECT"), as `host:port`
 * of the first one that it would try; null: no proxy. A name or password in it is left out.
 */
export function resolvedProxy(words: string): string | null {
  const [kind = '', address = ''] = words.split(';')[0]?.trim().split(/\s+/) ?? []
  if (kind === '' || kind.toUpperCase() === 'DIRECT' || address === '') return null
  return address.slice(address.lastIndexOf('@') + 1)
}
