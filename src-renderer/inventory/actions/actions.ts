import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { faultSentence, type Fault } from '../../../src-shared/model/fault.ts'
import type { Link } from '../../../src-shared/navigation/link.ts'
import type { ColumnId, InventoryQuery } from '../../../src-shared/model/inventory.ts'
import type { Saved } from '../../lib/save-file.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { fileName, exportAll } from './export-all.ts'
import { maxKeys, type Selection } from '../table/selection.ts'

/** The content to copy: one column's values, rows for a spreadsheet, or rows as JSON. */
export type CopyWhat = { what: 'column'; column: ColumnId; word: string } | { what: 'rows' } | { what: 'json' }

/** The message about the last action. An action that is `busy` can be stopped. */
export interface ActionState {
  busy: boolean
  words: string
  failed: boolean
}

export interface Actions {
  state: Store<ActionState>
  copy(what: CopyWhat): Promise<void>
  /** Copies a link to a device, or to a place with its filter. */
  copyLink(link: Link): Promise<void>
  /** Saves the selected devices, or with `all` the whole table, as a file. */
  save(format: 'csv' | 'json', all: boolean): Promise<void>
  stop(): void
  /** Says that more devices were selected one by one than is possible. */
  tooMany(): void
  /** Says that another action succeeded. */
  showMessage(words: string): void
  /** Says why something could not be shown. */
  fail(why: Fault | string): void
  /** Clears the message. */
  forget(): void
}

interface Options {
  pipe: Pipe
  query: () => InventoryQuery
  columns: () => readonly ColumnId[]
  selection: () => Selection
  /** Returns the key of the device at the cursor, which actions use when nothing is selected. */
  present: () => string | null
  /** Returns a name of the table's content, for a file name. */
  listed: () => string
  now: () => Date
  /** Returns the link as this window copies it; null for a target that no link can hold. */
  linkText: (link: Link) => string | null
  /** Copies a text; resolves with false when that is not allowed. */
  write: (text: string) => Promise<boolean>
  /** Saves a file for the operator. */
  saveAs: (name: string, type: string, parts: readonly string[]) => Promise<Saved>
}

const clipboardProblem = 'The clipboard could not be written. Click into the window and try again.'
const idle: ActionState = { busy: false, words: '', failed: false }

/** Holds the message about the last action. */
function createReport() {
  const state = createStore<ActionState>(idle)
  const fail = (why: Fault | string) =>
    state.set({
      busy: false,
      words: typeof why === 'string' ? why : faultSentence(why),
      failed: true,
    })
  return {
    state,
    forget: () => state.set(idle),
    busy: (words: string) => state.set({ busy: true, words, failed: false }),
    done: (words: string) => state.set({ busy: false, words, failed: false }),
    fail,
    tooMany: () =>
      fail(`At most ${numberText(maxKeys)} devices can be chosen one by one. Select all of them with Ctrl A.`),
  }
}

/** Reads the export of devices from the core, one action at a time; `stop` discards the running one. */
function createCollector(
  { pipe, query }: Pick<Options, 'pipe' | 'query'>,
  { busy, fail }: Pick<ReturnType<typeof createReport>, 'busy' | 'fail'>,
) {
  let turn = 0
  return {
    async collect(about: string[] | null, format: 'csv' | 'json' | 'tsv', wanted: readonly ColumnId[], words: string) {
      turn += 1
      const mine = turn
      busy(words)
      const answer = await exportAll(
        pipe,
        { query: query(), keys: about, columns: [...wanted], format },
        (characters) => {
          if (mine === turn && characters > 500_000)
            busy(`${words} ${numberText(Math.round(characters / 1000))} kB so far.`)
          return mine === turn
        },
      )
      if (answer === null) return null
      if (answer.ok) return answer.value
      fail(answer.fault)
      return null
    },
    stop() {
      turn += 1
    },
  }
}

export function createActions(options: Options): Actions {
  const { columns, selection, present, listed, now, linkText, write, saveAs } = options
  const report = createReport()
  const { state, forget, done, fail, tooMany } = report
  const collector = createCollector(options, report)
  const { collect } = collector

  /** Returns the keys of an action's devices; null for all rows of the query, undefined for none or too many. */
  function keys(): string[] | null | undefined {
    const about = keysOf(selection(), present())
    return (about?.length ?? 0) > maxKeys ? void tooMany() : about
  }

  async function copy(what: CopyWhat) {
    const about = keys()
    if (about === undefined) return
    const wanted = what.what === 'column' ? [what.column] : columns()
    // Single values are copied unchanged: JSON does not neutralize formulas.
    const got = await collect(about, what.what === 'rows' ? 'tsv' : 'json', wanted, 'Copying.')
    if (got === null) return
    const text = got.parts.join('')
    const word = what.what === 'column' ? `${what.word} of ` : ''
    if (await write(what.what === 'column' ? valuesOf(text) : text))
      done(`Copied ${word}${many(got.total, 'device')}${what.what === 'json' ? ' as JSON' : ''}.`)
    else fail(clipboardProblem)
  }

  async function save(format: 'csv' | 'json', all: boolean) {
    const about = all ? null : keys()
    if (about === undefined) return
    const got = await collect(about, format, columns(), 'Exporting.')
    if (got === null) return
    const name = fileName(about === null ? listed() : 'selection', format, now())
    const saved = await saveAs(name, format === 'csv' ? 'text/csv' : 'application/json', got.parts)
    if (!saved.ok) fail(saved.fault)
    else done(saved.where === null ? 'Nothing was saved.' : `Exported ${many(got.total, 'device')} to ${saved.where}.`)
  }

  return {
    state,
    copy,
    copyLink: (link) => copyLink(link, { linkText, write, done, fail }),
    save,
    tooMany,
    showMessage: done,
    fail,
    stop() {
      collector.stop()
      forget()
    },
    forget,
  }
}

async function copyLink(
  link: Link,
  {
    linkText,
    write,
    done,
    fail,
  }: Pick<Options, 'linkText' | 'write'> & Record<'done' | 'fail', (words: string) => void>,
): Promise<void> {
  const text = linkText(link)
  if (text === null) fail('The name of this place, or the filter, is too long for a link.')
  else if (await write(text)) done('Copied the link.')
  else fail(clipboardProblem)
}

/** Returns the keys of the selected devices, or else of the present one; null for all, undefined for none. */
function keysOf(chosen: Selection, present: string | null): string[] | null | undefined {
  if (chosen.what === 'all') return null
  if (chosen.what === 'some') return [...chosen.keys]
  return present === null ? undefined : [present]
}

/** Returns one value per line from the JSON of a one-column export. A missing value is an empty line. */
function valuesOf(json: string): string {
  const rows = JSON.parse(json) as readonly Record<string, unknown>[]
  return rows.map((row) => Object.values(row)[0] ?? '').join('\n')
}
