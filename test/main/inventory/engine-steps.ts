import type { DeviceFact } from '../../../src-main/inventory/thread/protocol.ts'
import type { NoteContent } from '../../../src-shared/model/notes.ts'
import { writeText, writeValue } from '../../../src-shared/filter/scan.ts'
import { type ColumnId, type InventoryQuery, sortColumns } from '../../../src-shared/model/inventory.ts'
import { connection } from './profile.ts'
import * as fc from 'fast-check'

/** Few different texts, so that rows share names, sites and rooms; some fold, sort or encode oddly. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'Room 2',
      'room 10',
      'Room 02',
      'ROOM 2',
      'Berlin',
      'berlin',
      'Zürich',
      'Zurich',
      'Straße 5',
      'İstanbul',
      'ΟΔΟΣ',
      '会議室',
      'غرفة',
      '🎥 Studio',
      '<b>x</b>',
      'a/b=c',
      '',
      '~',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)
const ids = Array.from({ length: 150 }, (_, n) => (n % 9 === 0 ? `ä/${n}` : `dev-${n}`))
const time = fc.option(
  fc.integer({ min: -5, max: 400 }).map((n) => n * 10),
  { nil: null },
)
const place = fc.option(fc.record({ id: fc.constantFrom('1', '2', '=', ' ', 'a/b', '%'), name: text }), { nil: null })
const device = (id: fc.Arbitrary<string>) =>
  fc.record({
    id,
    name: text,
    hardwareModel: text,
    connected: fc.constantFrom(true, true, false, null),
    lastDetected: time,
    lastConfigRequestDate: time,
    site: place,
    room: place,
  })
const tenant = fc.constantFrom('t1', 't/2', 't3')
/** Two connections list every tenant, and each sees a part of it. */
export const readers = [connection, 'other']
const by = fc.constantFrom(...readers)

export type Step =
  | { kind: 'tenants'; list: { id: string; name: string; region: string | null }[] }
  | { kind: 'page'; by: string; tenant: string; devices: DeviceFact[] }
  | { kind: 'finish'; by: string; tenant: string }
  | {
      kind: 'events'
      tenant: string
      events: { id: string; connected: boolean | null | undefined; name: string | null }[]
    }
  | {
      kind: 'reading'
      tenant: string
      devices: { id: string; connected: boolean | null; lastDetected: number | null }[]
    }
  | { kind: 'sight'; by: string; tenants: string[] | null; seen: boolean }
  | { kind: 'columns'; on: Further[] }
  | { kind: 'extras'; tenant: string; devices: { id: string; values: Record<string, string | null> }[] }
  | { kind: 'spares'; models: string[]; age: number | null }
  | { kind: 'note'; node: number; content: NoteContent }
  | { kind: 'ask'; queries: InventoryQuery[]; expand: number[]; now: number }

const id = fc.constantFrom(...ids)

/** Further columns, one of each type. */
export const types = { serial: 'text', load: 'number', installed: 'time', wired: 'boolean' } as const
export type Further = keyof typeof types
const further = fc.constantFrom<Further>('serial', 'load', 'installed', 'wired')
const furtherValue: Record<Further, fc.Arbitrary<string>> = {
  serial: text,
  load: fc.constantFrom('10', '9', '-3', '1e2', 'x', ''),
  wired: fc.constantFrom('true', 'false', 'maybe'),
  installed: fc.constantFrom('1970-01-01T00:00:01Z', '1970-01-01T00:00:02.500Z', '3', '2026-01-01', 'x'),
}
const furtherValues = fc.record(
  Object.fromEntries(Object.entries(furtherValue).map(([name, value]) => [name, fc.option(value, { nil: null })])),
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string | null>>

/** Terms of the whole language, as they are typed. */
const piece = fc.oneof(text, fc.constantFrom('o', 'r', 'ro', 'dev', 'dev-1', 'zur', 'ss', 'eu-1', 'one'))
const pattern = fc.oneof(
  piece.map((one) => [one]),
  fc.array(piece, { minLength: 2, maxLength: 3 }),
)
const value = fc.oneof({ weight: 1, arbitrary: fc.constant('none') }, { weight: 5, arbitrary: pattern.map(writeValue) })
const values = fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => list.join())
const operator = fc.constantFrom(':>', ':<', ':>=', ':<=')
const amount = fc.constantFrom('0s', '1s', '2s', '2.5s', '1970-01-01', '1970-01-01T00:00:02Z', '1h')
const term = fc.oneof(
  { weight: 3, arbitrary: piece.map(writeText) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('name', 'model', 'site', 'room', 'tenant', 'region', 'id', 'tag', 'note'),
        fc.constantFrom(':', '~'),
        values,
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'connected:yes',
      'connected:no',
      'connected:none,no',
      'status:online',
      'status:offline',
      'status:unknown,offline',
      'spare:yes',
      'spare:no',
      'tag:none',
      'tag:berlin,none',
      'note:none',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('seen', 'lastDetected', 'lastConfigRequestDate'), operator, amount)
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('down', 'up'), operator, fc.constantFrom('0s', '1s', '2s', '1h'))
      .map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'serial:none',
      'serial:"Room 2"',
      'serial~r',
      'serial:R*',
      'serial:>"Room 2"',
      'load:10',
      'load:>9',
      'load:<=-3',
      'load:none,9',
      'load:>x',
      'wired:yes',
      'wired:no,none',
      'wired:false',
      'installed:>1s',
      'installed:<2s',
      'installed:<1970-01-01T00:00:02Z',
      'installed~1970',
      'never:x',
      'never:>2h',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('down:none', 'up:none', 'lastDetected:none') },
)
const filterText = fc
  .array(
    fc.tuple(fc.constantFrom('', '', '-'), term).map((parts) => parts.join('')),
    { maxLength: 3 },
  )
  .map((terms) => terms.join(' '))

const ask = fc.record({
  kind: fc.constant('ask' as const),
  queries: fc.array(
    fc.record({
      scope: fc.oneof(
        { weight: 3, arbitrary: fc.constant('all') },
        fc.nat().map((n) => `#${n}`),
        fc.string(),
      ),
      filter: filterText,
      sort: fc.array(
        fc.record({
          column: fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<ColumnId>(...sortColumns) },
            { weight: 1, arbitrary: further.map((name): ColumnId => `extra:${name}`) },
          ),
          direction: fc.constantFrom('asc' as const, 'desc' as const),
        }),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  expand: fc.array(fc.nat(), { maxLength: 30 }),
  now: fc.integer({ min: 0, max: 9000 }),
})
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tenants' as const),
      list: fc.uniqueArray(fc.record({ id: tenant, name: text, region: fc.constantFrom('EU-1', 'US-1', null) }), {
        selector: (t) => t.id,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      by,
      tenant,
      devices: fc.array(device(id), { maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      by,
      tenant,
      devices: fc.uniqueArray(device(id), { minLength: 90, maxLength: 130, selector: (d) => d.id }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('finish' as const), by, tenant }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      tenant,
      events: fc.array(
        fc.record({
          id,
          connected: fc.constantFrom(true, false, null, undefined),
          name: fc.option(text, { nil: null }),
        }),
        { maxLength: 5 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reading' as const),
      tenant,
      devices: fc.array(fc.record({ id, connected: fc.constantFrom(true, false, null), lastDetected: time }), {
        maxLength: 20,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sight' as const),
      by,
      tenants: fc.option(fc.array(tenant), { nil: null }),
      seen: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('spares' as const),
      models: fc.array(text, { maxLength: 2 }),
      age: fc.constantFrom(null, 1000, 2500),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('note' as const),
      node: fc.nat(),
      content: fc.record({
        text: fc.oneof(fc.constant(''), text),
        contact: fc.oneof(fc.constant(''), text),
        tags: fc.uniqueArray(fc.constantFrom('Berlin', 'berlin', 'Spare', 'stock', 'zürich', '会議室'), {
          maxLength: 3,
        }),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('columns' as const), on: fc.uniqueArray(further) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('extras' as const),
      tenant,
      devices: fc.array(fc.record({ id, values: furtherValues }), { maxLength: 40 }),
    }),
  },
  { weight: 5, arbitrary: ask },
)
