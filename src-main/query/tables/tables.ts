import type { Handlers } from '../../../src-shared/contract/contract.ts'
import { maxShownDevices } from '../../../src-shared/contract/table-calls.ts'
import { printFilter } from '../../../src-shared/filter/filter.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { maxFilter } from '../../../src-shared/model/inventory.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { AnswersThread } from '../answers/client.ts'

type TableCall = Extract<keyof Handlers, `query.table${string}` | 'query.devices'>

/** Returns the handlers of the answers as tables (table-calls.ts). */
export function tableHandlers(
  answers: AnswersThread,
  data: Pick<InventoryData, 'devicesById'>,
): Pick<Handlers, TableCall> {
  return {
    'query.tables': async ({ run }) => kept(await answers.tables(run)),
    'query.table': async ({ run: id, table }) => kept(await answers.table({ id, table })),
    'query.tableRows': async ({ run: id, ...of }) => kept(await answers.tableRows({ id, ...of })),
    'query.tableCell': async ({ run: id, ...of }) => kept(await answers.tableCell({ id, ...of })),
    'query.tableExport': async ({ run: id, ...of }) => kept(await answers.tableExport({ id, ...of })),
    'query.devices': (input) => data.devicesById(input),
    'query.tableDevices': async ({ run: id, connection, ...of }) => {
      const { texts, isCut } = kept(await answers.tableTexts({ id, ...of, limit: maxShownDevices }))
      const { devices } = await data.devicesById({ connection, ids: texts })
      const known = new Set(devices.map((device) => device.id))
      return { ...filterOf(texts.filter((text) => known.has(text))), unknown: texts.length - known.size, isCut }
    },
  }
}

function kept<T>(found: T | null): T {
  if (found === null) throw new FaultError('input', 'run: This answer is no longer kept. Run the query again.')
  return found
}

/** Returns a filter for these ids: as many as it has room for. */
function filterOf(ids: readonly string[]): { filter: string; devices: number } {
  const print = (count: number) =>
    count === 0
      ? ''
      : printFilter([
          { kind: 'match', not: false, field: 'id', how: 'is', values: ids.slice(0, count).map((id) => [id]) },
        ])
  let count = ids.length
  let filter = print(count)
  while (filter.length > maxFilter) {
    count = Math.floor((count * maxFilter) / filter.length) - 1
    filter = print(Math.max(1, count))
  }
  return { filter, devices: count }
}
