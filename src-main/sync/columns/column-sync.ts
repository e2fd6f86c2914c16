import { FaultError } from '../../../src-shared/model/fault.ts'
import { redacted } from '../../api/classify.ts'
import { extrasOperation } from '../../api/operations.ts'
import { toolsOf, type SyncContext } from '../context.ts'
import { extraFacts, type ExtraFacts } from './extra-facts.ts'
import { readPages, type Page } from '../tenants/pages.ts'
import { fitting, pageSizeFor, type SyncTools } from '../tenants/tenant-sync.ts'

/** Columns of one tenant that are read together. */
export interface ColumnTask {
  tenant: string
  /** Number of devices; null where it is unknown. */
  expected: number | null
  names: readonly string[]
}

/**
 * Reads extra columns of a tenant into the cache, in the background. Rejects with a `FaultError`; earlier pages are
 * stored.
 */
export async function syncColumns(
  sync: SyncContext,
  { tenant, expected, names }: ColumnTask,
  cancelled: AbortSignal,
  onPage: () => void,
): Promise<void> {
  const tenants = sync.reader.tenants()
  if (tenants === null) return
  const base = toolsOf(sync, 'background')
  const tools: SyncTools = {
    ...base,
    capabilities: tenants.capabilities,
    signal: AbortSignal.any([base.signal, cancelled]),
  }
  const operation = extrasOperation(names)
  const take = async (page: Page) => {
    const devices = extraFacts(page, names)
    rejectUnanswered(page, devices, names)
    tools.publish(await tools.data.extraValues({ service: tools.service, tenant, devices }))
    onPage()
  }
  // The cost of a page is unknown at first: a small one shows it.
  const pageSize = pageSizeFor(tools, expected, operation.shape)
  await readPages({ ...tools, operation, tenant, pageSize, from: null, fitting: fitting(tools, operation.shape) }, take)
}

/** Throws for a field without a value on a whole page: the service does not answer it. */
function rejectUnanswered({ errors }: Page, devices: readonly ExtraFacts[], names: readonly string[]): void {
  if (devices.length === 0 || names.every((name) => devices.some(({ values }) => name in values))) return
  const [first] = errors
  throw new FaultError(
    first?.code === 'FORBIDDEN' ? 'forbidden' : 'partial',
    first === undefined ? 'the field was not answered' : redacted(first.message),
  )
}
