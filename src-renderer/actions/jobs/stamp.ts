import type { ActionsState } from '../../../src-shared/model/jobs.ts'

/** Returns a text that changes with each change of a listed job: what depends on the jobs is read again then. */
export const jobsStamp = (state: ActionsState | null): string =>
  (state?.jobs ?? []).map(({ id, state: its, counts }) => `${id} ${its} ${Object.values(counts).join(' ')}`).join('\n')
