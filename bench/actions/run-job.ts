import type { Core } from '../../src-main/core.ts'
import type { InventoryQuery } from '../../src-shared/model/inventory.ts'
import type { ActionRequest, Job } from '../../src-shared/model/jobs.ts'

/** All devices in the order of their names. */
export const allByName: InventoryQuery = { scope: 'all', filter: '', sort: [{ column: 'name', direction: 'asc' }] }

const plan = { batch: null, waitMinutes: 10, stopAfter: null, at: null, includeInCall: false }

export async function armAll({ handlers }: Core): Promise<void> {
  const { tenants } = await handlers['actions.state']({})
  for (const { tenant } of tenants) await handlers['actions.arm']({ tenant })
}

/** Prepares an action of armed tenants. Returns its start, which resolves with the ended job. */
export async function prepareJob(core: Core, request: ActionRequest): Promise<() => Promise<Job>> {
  const { id: sheet, confirm } = await core.handlers['jobs.prepare'](request)
  return async () => {
    const { job } = await core.handlers['jobs.start']({ sheet, confirmation: confirm ?? '', plan })
    return ended(core, job)
  }
}

function ended(core: Core, id: string): Promise<Job> {
  return new Promise((resolve) => {
    const off = core.on('actions', ({ jobs }) => {
      const job = jobs.find((each) => each.id === id && each.endedAt !== null)
      if (job === undefined) return
      off()
      resolve(job)
    })
  })
}
