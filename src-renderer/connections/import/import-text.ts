/** Head and one line of what can be imported, to begin a list with. */
export const importTemplate = [
  'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca,subscription,portal',
  'Nordlicht Hotels,https://login.example.com/oauth/token,https://api.example.com/graphql,wss://api.example.com/graphql,id,secret,,,',
  '',
].join('\n')

/** A file's bytes as text: by its byte order mark, else UTF-8, else what Western spreadsheets write. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
