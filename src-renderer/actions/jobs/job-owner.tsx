import type { Job } from '../../../src-shared/model/jobs.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Whose action it is, where it is another member's of the team: ", by Ann". */
export function JobOwner({ job: { owner } }: { job: Pick<Job, 'owner'> }) {
  if (owner === undefined) return null
  return (
    <>
      , by <Isolated>{owner}</Isolated>
    </>
  )
}
