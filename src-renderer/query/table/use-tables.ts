import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'

export type Tables = CallOutput<'query.tables'>

/** Returns the lists of an answer; null while they are looked for. None where the answer is not kept any more. */
export function useTables(run: string): Tables | null {
  const { session } = useAppContext()
  const { value, current } = useCall(run, async (): Promise<Tables> => {
    const answer = await session.pipe.call('query.tables', { run })
    return answer.ok ? answer.value : { tables: [], more: 0, isCut: false }
  })
  return current ? value : null
}

export type TableInfo = CallOutput<'query.table'>

/** Returns what a list has; null while it is read. */
export function useTable(run: string, table: number): { info: TableInfo } | { fault: Fault } | null {
  const { session } = useAppContext()
  const { value, current } = useCall(`${run} ${table}`, async () => {
    const answer = await session.pipe.call('query.table', { run, table })
    return answer.ok ? { info: answer.value } : { fault: answer.fault }
  })
  return current ? value : null
}
