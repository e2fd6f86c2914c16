import { createHmac } from 'node:crypto'
import { beginsAsAddress, createScanner, markOf, type Known } from './name-shapes.ts'
import { addName } from './names.ts'
import { withPaths } from './paths.ts'
import { createNameIndex } from './name-index.ts'

/**
 * Replaces names by made-up ones. They follow from the name and `key`, so that two bundles of one computer agree, and nobody
 * without the key can try names until one fits. Known names, and those that were marked when the log was written, are replaced
 * wherever they stand (a short name only where it was marked); hosts, addresses of the network (not this
 * computer's own), and paths of addresses by what they look like. `plain`: dotted
 * words that look like a host and are none, in small letters.
 */
export function createPseudonyms(
  key: string,
  known: Iterable<Known>,
  plain: ReadonlySet<string> = new Set(),
): (text: string) => string {
  const made = ({ kind, name }: Known) =>
    `${kind}-${createHmac('sha256', key).update(`${kind} ${name.toLowerCase()}`).digest('hex').slice(0, 8)}`
  const words = createNameIndex<Known>()
  // They are found before the addresses that they begin as.
  const addresses = createNameIndex<Known>()
  for (const each of known) {
    addName(words, each)
    if (beginsAsAddress(each.name)) addName(addresses, each)
  }
  const mark = createScanner(addresses, plain, (found) => (found.by === 'word' ? markOf(found) : found.text))
  const scan = createScanner(words, plain, made)
  return (text) => scan(withPaths(mark(text), made))
}
