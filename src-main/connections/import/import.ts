import { isDeepStrictEqual } from 'node:util'
import { explain, FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import {
  connectionInput,
  inputProblems,
  type ConnectionInput,
  type ImportLine,
} from '../../../src-shared/model/connection.ts'
import { applyAll, rejectInDemo, wantedOf, type PlannedSave } from '../change.ts'
import type { ConnectionContext } from '../context.ts'
import { shownInput, type ManagedConnection } from '../managed.ts'
import { problemsOf } from '../stored/record.ts'
import { readCsv, csvColumns, writeCsv, type CsvLine } from './csv.ts'

export interface Imported {
  lines: ImportLine[]
  /** Heads of unknown columns. */
  ignored: string[]
  /** Number of connections created or changed. */
  stored: number
}

/** Number of lines checked at a time; other tasks of the event loop run in between. */
const batchSize = 50

interface Planned {
  result: ImportLine
  /** Null when the line is rejected. */
  save: PlannedSave | null
}

/** Returns what an import would do: the same lines as `importCsv`, unless the keychain fails then. */
export async function previewImport(context: ConnectionContext, text: string): Promise<Imported> {
  rejectInDemo(context)
  const { lines, ignored } = readCsv(text)
  return { lines: (await plan(context, lines)).map(({ result }) => result), ignored, stored: 0 }
}

/** Stores all valid lines at once. Nothing is stored of a line whose secret the keychain rejects. */
export async function importCsv(context: ConnectionContext, text: string): Promise<Imported> {
  rejectInDemo(context)
  const { lines, ignored } = readCsv(text)
  const planned = await plan(context, lines)
  const save = planned.flatMap((each) => each.save ?? [])
  const rejected = await applyAll(
    context,
    save.filter((each) => hasChanges(context, each)),
    false,
  )
  const result = planned.map((each) => {
    const error = each.save === null ? undefined : rejected.get(each.save.record.id)
    return error === undefined ? each.result : rejection(each.result, problemOf(toFault(error)))
  })
  return { lines: result, ignored, stored: result.filter(({ what }) => what === 'add' || what === 'change').length }
}

/** Returns whether a line changes anything. */
function hasChanges({ entries }: ConnectionContext, { record, secret }: PlannedSave): boolean {
  return secret !== '' || !isDeepStrictEqual(entries.get(record.id)?.record, record)
}

/** Returns whether neither the line nor a connection of its name has a secret. */
function lacksSecret({ entries }: ConnectionContext, { record, secret }: PlannedSave): boolean {
  const known = entries.get(record.id)
  return secret === '' && (known === undefined || known.where === 'missing')
}

/** Returns all connections as a list that can be imported again, without their secrets. */
export function exportCsv({ entries }: ConnectionContext): string {
  return writeCsv([...entries.all()].map(shownInput))
}

async function plan(context: ConnectionContext, lines: readonly CsvLine[]): Promise<Planned[]> {
  const known = Map.groupBy(context.entries.all(), ({ record }) => nameOf(record.name))
  const checkCa = caChecker(context)
  const taken = new Map<string, number>()
  const planned: Planned[] = []
  for (const [index, line] of lines.entries()) {
    if (index % batchSize === 0) await context.turns()
    const name = nameOf(line.cells.name ?? '')
    const result: ImportLine = {
      line: line.line,
      name: name.slice(0, 200),
      what: known.has(name) ? 'change' : 'add',
      problem: '',
      lacksSecret: false,
    }
    try {
      const save = connectionOf(context, line, known.get(name) ?? [], taken.get(name))
      await checkCa(save.record.ca)
      planned.push({
        result: {
          ...result,
          ...(hasChanges(context, save) ? {} : { what: 'unchanged' as const }),
          lacksSecret: lacksSecret(context, save),
        },
        save,
      })
    } catch (error) {
      planned.push({ result: rejection(result, problemOf(toFault(error))), save: null })
    }
    if (name !== '' && !taken.has(name)) taken.set(name, line.line)
  }
  return planned
}

const nameOf = (text: string): string => text.trim().normalize('NFC')

const rejection = (result: ImportLine, problem: string): ImportLine => ({
  ...result,
  what: 'reject',
  problem,
  lacksSecret: false,
})

const blank: ConnectionInput = {
  id: null,
  name: '',
  tokenUrl: '',
  graphqlUrl: '',
  subscriptionUrl: '',
  clientId: '',
  clientSecret: '',
  ca: '',
  subscription: '',
  portal: '',
}

/**
 * Returns the connection that a line asks for. Missing columns leave a known connection unchanged. Throws a fault of
 * kind `input`.
 */
function connectionOf(
  context: ConnectionContext,
  { cells, problem }: CsvLine,
  known: readonly ManagedConnection[],
  taken: number | undefined,
): PlannedSave {
  if (problem !== null) throw new FaultError('input', problem)
  if (taken !== undefined) throw new FaultError('input', `name: Line ${taken} has this name already.`)
  if (known.length > 1)
    throw new FaultError('input', 'name: More than one connection has this name; change them one by one.')
  const [before] = known
  const typed = { ...(before === undefined ? blank : shownInput(before)), ...cells }
  const read = connectionInput.safeParse(typed)
  if (read.success) return wantedOf(context, read.data)
  throw new FaultError(
    'input',
    allProblems(typed, inputProblems(read.error))
      .map(([field, words]) => `${field}: ${words}`)
      .join('\n'),
  )
}

/** Returns all problems of a line in the order of the columns, so that it can be corrected in one edit. */
function allProblems(
  typed: Omit<ConnectionInput, 'id'>,
  rejected: readonly [keyof ConnectionInput, string][],
): (readonly [keyof ConnectionInput, string])[] {
  const trimmed = {
    ...typed,
    tokenUrl: typed.tokenUrl.trim(),
    graphqlUrl: typed.graphqlUrl.trim(),
    subscriptionUrl: typed.subscriptionUrl.trim(),
    portal: typed.portal.trim(),
  }
  const known = new Map([...problemsOf(trimmed), ...rejected])
  return Object.values(csvColumns).flatMap((field) => {
    const words = known.get(field)
    return words === undefined ? [] : [[field, words] as const]
  })
}

/**
 * Returns a check of CAs that remembers its results: many lines share few CAs, and reading one is slow. The check
 * rejects with a fault of kind `ca`.
 */
function caChecker(context: ConnectionContext): (ca: string) => Promise<void> {
  const checked = new Map<string, Fault | null>([['', null]])
  return async (text) => {
    const ca = text.trim()
    const before = checked.get(ca)
    const fault = before === undefined ? await faultOfCa(context, ca) : before
    checked.set(ca, fault)
    if (fault !== null) throw new FaultError(fault.kind, fault.detail)
  }
}

async function faultOfCa({ options: { ports }, turns }: ConnectionContext, ca: string): Promise<Fault | null> {
  await turns()
  try {
    await ports.network.open(ca).close()
    return null
  } catch (error) {
    return toFault(error)
  }
}

/** Returns the reason why a line is rejected, with the column's name instead of the field's. */
function problemOf(fault: Fault): string {
  switch (fault.kind) {
    case 'input':
      return fault.detail
        .split('\n')
        .map((each) =>
          each.replace(
            /^\w+(?=: )/,
            (field) => Object.entries(csvColumns).find(([, known]) => known === field)?.[0] ?? field,
          ),
        )
        .join(' ')
    case 'ca':
      return `ca: ${explain(fault).title} (${fault.detail})`
    case 'keychain':
      return `client_secret: The keychain rejected it (${fault.detail}), so nothing of this line was stored.`
    default:
      return `${explain(fault).title}${fault.detail === '' ? '' : ` (${fault.detail})`}`
  }
}
