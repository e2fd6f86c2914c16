/** The head and one example line of an import. */
export const importTemplate = [
  'name,token_url,graphql_url,subscription_url,client_id,client_secret,ca,subscription,portal',
  'Nordlicht Hotels,https://login.example.com/oauth/token,https://api.example.com/graphql,wss://api.example.com/graphql,id,secret,,,',
  '',
].join('\n')

/**
 * Decodes a file: by its byte order mark, or else as UTF-8, or else as Windows-1252, which Western spreadsheets write.
 */
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
