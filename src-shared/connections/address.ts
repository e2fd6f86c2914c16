/**
 * What is wrong with an address of a service, as a sentence for its field; null when nothing is. Only over TLS
 * (service-spec.md, section 4): a token would travel in clear otherwise. Nothing of a name or password is repeated.
 */
export function addressProblem(text: string, protocol: 'https:' | 'wss:'): string | null {
  if (text === '') return 'The address is missing.'
  const url = URL.parse(text)
  if (url === null || url.protocol !== protocol) return otherAddress(text, protocol)
  // Not `url.hash`: it is empty for a lone '#', which a WebSocket refuses all the same.
  if (text.includes('#')) return 'Leave out the part from the # on.'
  if (url.username !== '' || url.password !== '')
    return 'Leave out the name and password; the client id and secret have their own fields.'
  return null
}

/** What to write instead of an address without a scheme or with another one. */
function otherAddress(text: string, protocol: 'https:' | 'wss:'): string {
  const rest = /^(?:[a-z][a-z\d+.-]*:)?\/\/(.*)$/i.exec(text)?.[1] ?? text
  const meant = URL.parse(`${protocol}//${rest}`)
  if (meant === null || /[\s@#]/.test(rest)) return `This is not an address. It looks like ${protocol}//host/path.`
  return rest === text
    ? `Put ${protocol}// before it: ${meant.href}`
    : `The address must begin with ${protocol}// as in ${meant.href}`
}

/** A path without the slashes at its end. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
