/**
 * Returns what is wrong with a service's address, as a sentence for its field; null when it is valid. Only TLS is
 * accepted (service-spec.md, section 4), because a token must not travel unencrypted. The sentence repeats no name or
 * password.
 */
export function addressProblem(text: string, protocol: 'https:' | 'wss:'): string | null {
  if (text === '') return 'The address is missing.'
  const url = URL.parse(text)
  if (url === null || url.protocol !== protocol) return otherAddress(text, protocol)
  // `url.hash` would not do: it is empty for a lone '#', which a WebSocket rejects.
  if (text.includes('#')) return 'Leave out the part from the # on.'
  if (url.username !== '' || url.password !== '')
    return 'Leave out the name and password; the client id and secret have their own fields.'
  return null
}

/** Returns a sentence with the correct form of an address that has no scheme or another one. */
function otherAddress(text: string, protocol: 'https:' | 'wss:'): string {
  const rest = /^(?:[a-z][a-z\d+.-]*:)?\/\/(.*)$/i.exec(text)?.[1] ?? text
  const suggested = URL.parse(`${protocol}//${rest}`)
  if (suggested === null || /[\s@#]/.test(rest)) return `This is not an address. It looks like ${protocol}//host/path.`
  return rest === text
    ? `Put ${protocol}// before it: ${suggested.href}`
    : `The address must begin with ${protocol}// as in ${suggested.href}`
}

/** Returns a path without its trailing slashes. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
