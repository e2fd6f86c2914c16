import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { connectionState } from '../../../src-shared/model/connection.ts'
import { fault } from '../../../src-shared/model/inventory.ts'
import { gauge } from '../../../src-shared/model/gauge.ts'
import { expectedReboot } from '../../../src-shared/model/jobs.ts'
import { teamQuestions } from '../../connections/team-connections.ts'
import { isLogged, type LoggedName } from '../../inventory/thread/logged-calls.ts'
import { offeredColumn } from '../../sync/columns/shared-columns.ts'
import { maxBodyBytes, type LogRow } from '../log/log-store.ts'

/** Longest text of an item, bytes: a row from the database may claim to be of any length. */
const maxTextBytes = 1 << 25
/** Rows of one item at most; what is longer cannot be read. */
const maxPieces = 256
/** The format of items. A row of a newer one is not understood, and nothing after it is carried out. */
const format = 1

const id = z.string().max(64)
const item = z.discriminatedUnion('is', [
  /** A call that all carry out. `ask`: the request of a member that led to it. `act`: its id where it may have waited. */
  z.object({
    is: z.literal('call'),
    call: z.custom<LoggedName>((name) => typeof name === 'string' && isLogged(name)),
    input: z.unknown(),
    ask: id.optional(),
    act: id.optional(),
  }),
  /** How a leader's connections are; the newest counts. */
  z.object({
    is: z.literal('status'),
    member: id,
    connections: z.array(connectionState),
    gauges: z.array(gauge),
    /** The channels (ids) whose messages it sends. */
    channels: z.array(id).max(1000),
  }),
  /** A member has opened its copy and lacks what leaders tell only once. */
  z.object({ is: z.literal('hello'), member: id }),
  /** Which incident a member looks at; null: none. */
  z.object({ is: z.literal('looking'), member: id, incident: id.nullable() }),
  /** The reboots that a member awaits. */
  z.object({ is: z.literal('reboots'), member: id, reboots: z.array(expectedReboot).max(100_000) }),
  /** The extra columns that a member can read, as far as it leads. */
  z.object({ is: z.literal('columns'), member: id, columns: z.array(offeredColumn).max(2000) }),
  /** What the member that evaluates, or leads, is to do for another one, and why it could not. */
  z.object({ is: z.literal('ask'), id, what: z.enum(['mark', 'refresh']), input: z.unknown() }),
  z.object({ is: z.literal('refused'), id, fault }),
  /** What a member wants to know of all that lead, and what one of them says. */
  z.object({ is: z.literal('question'), id, member: id, what: z.enum(teamQuestions), input: z.unknown() }),
  z.object({
    is: z.literal('reply'),
    question: id,
    member: id,
    what: z.enum(teamQuestions),
    value: z.unknown().optional(),
    fault: fault.optional(),
  }),
])

const versioned = z.object({ v: z.number() })

/** What a row of the team's log says. */
export type Item = z.infer<typeof item>

/** Thrown for a row of a newer format. */
class NewerFormatError extends Error {}

const continued = 1

/** Returns an item as the bodies of rows, which belong together in their order. */
export function bodiesOf(given: Item): Uint8Array[] {
  const text = JSON.stringify({ v: format, ...given }, toJson)
  const packed = deflateRawSync(text, { level: 3 })
  const pieces: Uint8Array[] = []
  const most = maxBodyBytes - 1
  for (let from = 0; from < packed.length; from += most) {
    const flag = from + most < packed.length ? continued : 0
    pieces.push(Buffer.concat([Uint8Array.of(flag), packed.subarray(from, from + most)]))
  }
  return pieces
}

/** JSON has neither infinity nor bytes. */
const [infinite, bytesMark] = ['\u0000infinity', '\u0000bytes:']

function toJson(this: Record<string, unknown>, key: string, value: unknown): unknown {
  // What has a form of its own in JSON comes in that one.
  const original = this[key]
  if (original instanceof Uint8Array) return `${bytesMark}${Buffer.from(original).toString('base64')}`
  return value === Infinity ? infinite : value
}

function fromJson(_key: string, value: unknown): unknown {
  if (value === infinite) return Infinity
  if (typeof value === 'string' && value.startsWith(bytesMark))
    return new Uint8Array(Buffer.from(value.slice(bytesMark.length), 'base64'))
  return value
}

/** An item, and the row that completes it. `id`: of its first entry. */
export interface ReadItem {
  id: string
  row: LogRow
  /** Null: the row cannot be read; it is left out. */
  item: Item | null
}

/** What was read of a page of rows. `pieces`: of an item that goes on in the next page. `isNewer`: a row of a newer format follows. */
export interface ReadPage {
  items: ReadItem[]
  pieces: readonly LogRow[]
  isNewer: boolean
}

/** Reads rows in order. `before`: pieces of an item that began in earlier ones. */
export function readItems(before: readonly LogRow[], rows: readonly LogRow[]): ReadPage {
  const items: ReadItem[] = []
  let pieces = [...before]
  for (const row of rows) {
    pieces.push(row)
    if (row.body[0] === continued && pieces.length < maxPieces) continue
    try {
      items.push({ id: pieces[0]?.entry ?? row.entry, row, item: itemOf(pieces.map(({ body }) => body.subarray(1))) })
    } catch (error) {
      if (error instanceof NewerFormatError) return { items, pieces: [], isNewer: true }
      throw error
    }
    pieces = []
  }
  return { items, pieces, isNewer: false }
}

function itemOf(bodies: readonly Uint8Array[]): Item | null {
  let value: unknown
  try {
    const text = inflateRawSync(Buffer.concat(bodies), { maxOutputLength: maxTextBytes }).toString()
    value = JSON.parse(text, fromJson)
  } catch {
    return null
  }
  const version = versioned.safeParse(value)
  if (!version.success) return null
  if (version.data.v > format) throw new NewerFormatError(`format ${version.data.v}`)
  return item.safeParse(value).data ?? null
}
