import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { baseFields } from '../../../src-shared/model/base-fields.ts'
import { oneByOne } from '../../../src-shared/lib/one-by-one.ts'
import {
  maxSchemaChanges,
  maxSchemaEntries,
  schemaEntry,
  type SchemaChange,
  type SchemaEntry,
  type SchemaSource,
} from '../../../src-shared/model/schema-history.ts'
import { differencesBetween } from '../../api/schema/differences.ts'
import { fingerprintForm, formOf, printForm, readForm } from '../../api/schema/form.ts'
import type { SchemaData } from '../../inventory/thread/schema-protocol.ts'
import type { Log } from '../../ports.ts'

/** The differences of each service's schema over time, in the journal. An answer that is not whole enters nothing. */
export interface SchemaHistory {
  /** Compares a whole introspection with the last one of this connection. Resolves when the difference is stored. */
  read(connection: string, introspection: string): Promise<void>
  /** Enters the difference of what a sync reads of the schema (`Capabilities.fingerprint`). */
  drifted(connection: string, before: readonly string[], after: readonly string[]): void
  /** Enters device fields that the service rejected. */
  rejected(connection: string, fields: readonly string[]): void
  of(connection: string): Promise<SchemaRecord>
}

/** `since`, `readAt`: when a whole schema was first and last read, ms; null: never. Entries: the newest first. */
export interface SchemaRecord {
  since: number | null
  readAt: number | null
  entries: SchemaEntry[]
}

export interface SchemaHistoryOptions {
  data: SchemaData
  clock: Pick<Clock, 'now'>
  log: Log
}

/** The largest introspection that is compared, characters: it is read in one turn of the core's loop. */
const maxCompared = 4_000_000

const deflated = promisify(deflateRaw)
const inflated = promisify(inflateRaw)
/** Longest stored form when it is inflated, bytes. */
const maxForm = 64 * 1024 * 1024

export function createSchemaHistory(options: SchemaHistoryOptions): SchemaHistory {
  const { data, log } = options
  const serially = oneByOne()
  const enter = (connection: string, source: SchemaSource, changes: readonly SchemaChange[]): void => {
    if (changes.length === 0) return
    void serially(() => save(options, connection, null, entryOf(options, source, changes))).catch(() =>
      log('warn', 'a change of a schema could not be stored'),
    )
  }
  return {
    read: (connection, introspection) => serially(() => compare(options, connection, introspection)),
    drifted: (connection, before, after) =>
      enter(connection, 'sync', differencesBetween(fingerprintForm(before), fingerprintForm(after))),
    rejected: (connection, fields) =>
      enter(
        connection,
        'rejection',
        fields.map((name) => ({
          coordinate: baseFields.some((field) => field === name) ? `Device.${name}` : name,
          what: 'removed' as const,
          severity: 'breaking' as const,
          from: '',
          to: '',
        })),
      ),
    async of(connection) {
      const { last, entries } = await serially(() => data.schemaHistory({ connection }))
      return {
        since: last?.since ?? null,
        readAt: last?.readAt ?? null,
        entries: entries.flatMap(({ text }) => entryIn(text)),
      }
    },
  }
}

async function compare(options: SchemaHistoryOptions, connection: string, introspection: string): Promise<void> {
  const { data, clock, log } = options
  if (introspection.length > maxCompared) return log('info', 'a schema is too large to be compared with the last one')
  const form = formOf(introspection)
  if ('notWhole' in form) return log('info', `a schema is not compared with the last one: ${form.notWhole}`)
  const { last, entries } = await data.schemaHistory({ connection })
  const former = last === null ? null : readForm(await inflate(last.form))
  const known = new Set(
    entries
      .filter(({ at }) => last !== null && at >= last.readAt)
      .flatMap(({ text }) => entryIn(text))
      .flatMap(({ changes }) => changes.map(keyOf)),
  )
  // What a sync or a rejection has entered since is not entered again.
  const changes = former === null ? [] : differencesBetween(former, form).filter((change) => !known.has(keyOf(change)))
  const schema = { form: await deflated(printForm(form)), readAt: clock.now() }
  await save(options, connection, schema, changes.length === 0 ? null : entryOf(options, 'schema', changes))
}

const keyOf = ({ coordinate, what }: SchemaChange): string => `${what} ${coordinate}`

async function inflate(form: Uint8Array): Promise<string> {
  return (await inflated(form, { maxOutputLength: maxForm })).toString('utf8')
}

const entryOf = (
  { clock }: Pick<SchemaHistoryOptions, 'clock'>,
  source: SchemaSource,
  changes: readonly SchemaChange[],
): SchemaEntry => ({ at: clock.now(), source, changes: changes.slice(0, maxSchemaChanges), total: changes.length })

const save = (
  { data }: Pick<SchemaHistoryOptions, 'data'>,
  connection: string,
  schema: { form: Uint8Array; readAt: number } | null,
  entry: SchemaEntry | null,
): Promise<void> =>
  data.saveSchema({
    connection,
    schema,
    entry: entry === null ? null : { at: entry.at, text: JSON.stringify(entry) },
    most: maxSchemaEntries,
  })

const stored = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue('no JSON')
    return z.NEVER
  }
})

/** Returns a stored entry; none where it cannot be read. */
function entryIn(text: string): SchemaEntry[] {
  const read = stored.pipe(schemaEntry).safeParse(text)
  return read.success ? [read.data] : []
}
