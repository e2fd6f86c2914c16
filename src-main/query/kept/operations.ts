import { randomUUID } from 'node:crypto'
import type { Handlers } from '../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import {
  maxOperations,
  operationsLimit,
  savedOperation,
  type SavedOperation,
} from '../../../src-shared/model/kept-queries.ts'
import { printOperations } from './files/print-operations.ts'
import { parseOperations } from './files/parse-operations.ts'
import { readable } from './readable.ts'
import type { KeptOptions } from './kept-options.ts'

/** The calls about saved operations. */
export function operationHandlers({
  data,
  log,
  redact,
}: KeptOptions): Pick<Handlers, Extract<keyof Handlers, `operations.${string}`>> {
  const all = async () => readable(savedOperation, await data.savedOperations(), { log, what: 'saved operations' })
  const write = async (operations: readonly SavedOperation[]) =>
    data.saveOperations({ operations: operations.map((each) => redacted(each, redact)) })
  return {
    'operations.list': async () => ({ operations: await all() }),
    'operations.save': async (operation) => {
      const others = (await all()).filter(({ id }) => id !== operation.id)
      checkLimits([...others, operation])
      await write([operation])
      return {}
    },
    'operations.remove': async ({ id }) => {
      await data.removeOperation({ id })
      return {}
    },
    'operations.import': async ({ text, file }) => {
      const known = await all()
      const same = new Set(known.map(keyOf))
      const read = parseOperations(text, file)
      const fresh = read.filter((each) => !same.has(keyOf(each))).map((each) => ({ ...each, id: randomUUID() }))
      checkLimits([...known, ...fresh])
      await write(fresh)
      return { added: fresh.length, same: read.length - fresh.length }
    },
    'operations.export': async ({ ids }) => {
      const wanted = ids === null ? null : new Set(ids)
      const chosen = (await all()).filter(({ id }) => wanted?.has(id) ?? true).toSorted(inOrder)
      return { text: printOperations(chosen), count: chosen.length }
    },
  }
}

const inOrder = (one: SavedOperation, other: SavedOperation) =>
  one.folder.localeCompare(other.folder) || one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1)

const keyOf = ({ name, folder, document, variables }: Omit<SavedOperation, 'id'>): string =>
  JSON.stringify([name, folder, document, variables])

/** Returns an operation without secrets, and with the line ends of its file. */
function redacted(operation: SavedOperation, redact: (text: string) => string): SavedOperation {
  const kept = (text: string) => redact(text.replaceAll(/\r\n?/gu, '\n'))
  return { ...operation, document: kept(operation.document), variables: kept(operation.variables) }
}

function checkLimits(operations: readonly SavedOperation[]): void {
  if (operations.length > maxOperations)
    throw new FaultError(
      'input',
      `operations: ${maxOperations} are saved at most, and these would be ${operations.length}.`,
    )
  const length = operations.reduce((sum, { document, variables }) => sum + document.length + variables.length, 0)
  if (length > operationsLimit)
    throw new FaultError(
      'input',
      'operations: All saved operations together would be longer than 4,000,000 characters.',
    )
}
