/** Returns the variables of a text of JSON, or what is wrong with it. A blank text has none. */
export function readVariables(text: string): { values: Record<string, unknown> } | { problem: string } {
  if (text.trim() === '') return { values: {} }
  try {
    const values: unknown = JSON.parse(text)
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? { values: values as Record<string, unknown> }
      : { problem: 'The variables must be an object, such as {"tenantId": "…"}.' }
  } catch {
    return { problem: 'The variables are not valid JSON.' }
  }
}

/** Returns the text with a variable set to a value; null where the text is no object. */
export function withVariable(text: string, name: string, value: string): string | null {
  const read = readVariables(text)
  return 'problem' in read ? null : JSON.stringify({ ...read.values, [name]: value }, null, 2)
}

/** Returns the names of the operations of a document, as far as they can be told without its grammar. */
export function operationNames(document: string): string[] {
  const text = document.replaceAll(/#[^\n]*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/gu, ' ')
  const names: string[] = []
  let depth = 0
  for (const [token, word] of text.matchAll(
    /[{}]|\bfragment\s+\w+|\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)/gu,
  )) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    else if (depth === 0 && word !== undefined) names.push(word)
  }
  return names
}

/** Returns the name of the chosen operation; null where the document has one at most. */
export function chosenOperation({
  document,
  operation,
}: {
  document: string
  operation: string | null
}): string | null {
  const names = operationNames(document)
  return names.length < 2 ? null : (names.find((name) => name === operation) ?? names[0] ?? null)
}

/** The member of a search's parameters with the page size. */
const literal = /(\bpageSize\s*:\s*)\d+/u

/** Returns document and variables with another page size; null where neither has one that can be set. */
export function withPageSize(
  { document, variables }: { document: string; variables: string },
  size: number,
): { document: string; variables: string } | null {
  if (literal.test(document)) return { document: document.replace(literal, `$1${size}`), variables }
  const read = readVariables(variables)
  if ('problem' in read) return null
  let isSet = false
  const replaced = JSON.stringify(
    read.values,
    (name, value: unknown) => {
      if (name !== 'pageSize' || typeof value !== 'number') return value
      isSet = true
      return size
    },
    2,
  )
  return isSet ? { document, variables: replaced } : null
}
