/** Returns a command of curl for a POSIX shell that sends an operation. The token is a variable of the shell: `$TOKEN`. */
export function curlText(
  url: string,
  {
    document,
    variables,
    operation,
  }: { document: string; variables: Record<string, unknown>; operation: string | null },
): string {
  const body = JSON.stringify({ query: document, variables, ...(operation !== null && { operationName: operation }) })
  return [
    `curl ${quoted(url)}`,
    `  -H "authorization: Bearer $TOKEN"`,
    `  -H 'content-type: application/json'`,
    `  --data-binary ${quoted(body)}`,
  ].join(' \\\n')
}

/** Quotes a text for the shell: within single quotes nothing has a meaning, but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
