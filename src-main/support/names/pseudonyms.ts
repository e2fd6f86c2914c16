import { createHmac } from 'node:crypto'
import { beginsAsAddress, createScanner, markOf, type Known } from './name-shapes.ts'
import { addName } from './names.ts'
import { withPaths } from './paths.ts'
import { createNameIndex } from './name-index.ts'

/**
 * Returns a function that replaces names by pseudonyms. They are derived from the name and `key`, so that two bundles
 * of one computer agree, and names cannot be guessed without the key. Replaces known and marked names everywhere (a
 * short name only where marked); hosts, network addresses (except this computer's own) and paths of addresses by their
 * form. `plain`: dotted words that look like a host and are not, in lower case.
 */
export function createPseudonyms(
  key: string,
  known: Iterable<Known>,
  plain: ReadonlySet<string> = new Set(),
): (text: string) => string {
  const made = ({ kind, name }: Known) =>
    `${kind}-${createHmac('sha256', key).update(`${kind} ${name.toLowerCase()}`).digest('hex').slice(0, 8)}`
  const index = createNameIndex<Known>()
  // These are found before the addresses with which they begin.
  const addresses = createNameIndex<Known>()
  for (const each of known) {
    addName(index, each)
    if (beginsAsAddress(each.name)) addName(addresses, each)
  }
  const mark = createScanner(addresses, plain, (found) => (found.by === 'index' ? markOf(found) : found.text))
  const scan = createScanner(index, plain, made)
  return (text) => scan(withPaths(mark(text), made))
}
