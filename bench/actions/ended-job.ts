import type { Core } from '../../src-main/core.ts'
import type { Job } from '../../src-shared/model/jobs.ts'

/** Resolves with a job when it is ended. */
export function endedJob(core: Core, id: string): Promise<Job> {
  return new Promise((resolve) => {
    const off = core.on('actions', ({ jobs }) => {
      const job = jobs.find((each) => each.id === id && each.endedAt !== null)
      if (job === undefined) return
      off()
      resolve(job)
    })
  })
}
