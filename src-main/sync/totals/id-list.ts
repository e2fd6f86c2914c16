import { idsOperation } from '../../api/operations.ts'
import { fitting, pageSizeFor, type SyncTools } from '../tenants/tenant-sync.ts'
import { newReport } from '../tenants/page-report.ts'
import { readPages } from '../tenants/pages.ts'

/** The ids of a tenant's devices, as a service listed them. */
export interface IdList {
  ids: ReadonlySet<string>
  /** True when the service named a total and all of it came: what is missing is gone. */
  isComplete: boolean
  /** Position and time of the first request: what was reported later may be missing. */
  requestOrder: number
  /** When the last page came, ms. */
  at: number
}

/**
 * Reads the ids alone. Resolves with null where a part failed, which says nothing of the others; rejects as `readPages`.
 */
export async function readIdList(tools: SyncTools, tenant: string, expected: number): Promise<IdList | null> {
  const report = newReport()
  let total: number | null = null
  let requestOrder = Infinity
  await readPages(
    {
      ...tools,
      operation: idsOperation,
      tenant,
      pageSize: pageSizeFor(tools, expected, idsOperation.shape),
      from: null,
      fitting: fitting(tools, idsOperation.shape),
    },
    async (page) => {
      report.add(page)
      total = page.failures.length > 0 ? null : page.totalCount
      requestOrder = Math.min(requestOrder, page.requestOrder)
    },
  )
  if (!report.whole()) return null
  const ids = report.ids()
  const isComplete = total !== null && ids.size > 0 && report.missed(0) === null
  return { ids, isComplete, requestOrder, at: tools.clock.now() }
}
