import { endOfValue, skipSpace, walkObject } from './page-slices.ts'

/** What stands at the beginning of each row: its tenant. */
export interface RowTenant {
  tenant: string
  tenantId: string
  /** Null where it is not known: then no row has it. */
  region: string | null
}

const encoder = new TextEncoder()
const [openBrace, closeBrace, comma] = [0x7b, 0x7d, 0x2c]
const none = new Uint8Array(0)

/** Texts that stand before a row: of nothing in it, of its members, of a value that is no object. */
interface Heads {
  empty: Uint8Array
  members: Uint8Array
  value: Uint8Array
}

/**
 * Returns the first rows that fit into `most` bytes, each with its tenant, with commas between them. `rows`: where each begins and
 * ends, in turn. No row becomes an object of its own: millions of them take no more than their bytes.
 */
export function rowsText(
  bytes: Buffer,
  rows: readonly number[],
  tenant: RowTenant | null,
  most: number,
): { text: Uint8Array; taken: number } {
  const heads = tenant === null ? null : headsOf(bytes, rows[0] ?? 0, tenant)
  let [taken, size] = [0, 0]
  for (let at = 0; at < rows.length; at += 2) {
    const { head, start, tail } = partsOf(bytes, rows[at] ?? 0, heads)
    const length = head.length + (rows[at + 1] ?? 0) - start + tail
    if (size + length + 1 > most) break
    size += length + 1
    taken += 1
  }
  const text = new Uint8Array(Math.max(0, size - 1))
  let end = 0
  for (let at = 0; at < taken * 2; at += 2) {
    const { head, start, tail } = partsOf(bytes, rows[at] ?? 0, heads)
    if (at > 0) text[end++] = comma
    text.set(head, end)
    end += head.length
    end += bytes.copy(text, end, start, rows[at + 1])
    if (tail === 1) text[end++] = closeBrace
  }
  return { text, taken }
}

/** Returns what stands before a row, where it begins itself, and the number of braces after it. */
function partsOf(
  bytes: Uint8Array,
  from: number,
  heads: Heads | null,
): { head: Uint8Array; start: number; tail: 0 | 1 } {
  if (heads === null) return { head: none, start: from, tail: 0 }
  if (bytes[from] !== openBrace) return { head: heads.value, start: from, tail: 1 }
  const inner = skipSpace(bytes, from + 1)
  return { head: bytes[inner] === closeBrace ? heads.empty : heads.members, start: inner, tail: 0 }
}

/** Returns `{"tenant":"…","tenantId":"…","region":"…"`; a name that the first row has itself gets an underscore. */
function headsOf(bytes: Uint8Array, from: number, tenant: RowTenant): Heads {
  const taken = new Set<string>()
  if (bytes[from] === openBrace)
    walkObject(bytes, from, (key, value) => {
      taken.add(key)
      return endOfValue(bytes, value)
    })
  const members = Object.entries(withoutNull(tenant)).map(([name, value]) => [
    taken.has(name) ? `${name}_` : name,
    value,
  ])
  const beginning = JSON.stringify(Object.fromEntries(members)).slice(0, -1)
  const [empty, inner, value] = [beginning, `${beginning},`, `${beginning},"value":`].map((text) =>
    encoder.encode(text),
  )
  return { empty: empty ?? none, members: inner ?? none, value: value ?? none }
}

export const withoutNull = ({ tenant, tenantId, region }: RowTenant) => ({
  tenant,
  tenantId,
  ...(region !== null && { region }),
})
