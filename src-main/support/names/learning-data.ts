import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { StoredJob } from '../../storage/journal/job-records.ts'
import type { Known } from './name-shapes.ts'
import { type Names, namesInKey } from './names.ts'

type Learned = Pick<InventoryData, 'tenants' | 'places' | 'createJob' | 'openJobs'>

/**
 * Returns the data thread's calls that bring tenants and accounts; their ids and names are learned first. The tenants of
 * a job that an earlier run left may be listed no longer.
 */
export function learningData(data: Learned, names: Pick<Names, 'learn'>): Learned {
  return {
    tenants(input) {
      names.learn(knownAs('tenant', input.tenants))
      return data.tenants(input)
    },
    places(input) {
      names.learn(knownAs('account', input.places.accounts ?? []))
      return data.places(input)
    },
    createJob(input) {
      names.learn(knownInJob(input))
      return data.createJob(input)
    },
    async openJobs(input) {
      const jobs = await data.openJobs(input)
      names.learn(jobs.flatMap(knownInJob))
      return jobs
    },
  }
}

const knownInJob = ({ record }: StoredJob): Known[] =>
  record.tenants.flatMap(({ key, name }): Known[] => [...namesInKey(key), { kind: 'tenant', name }])

const knownAs = (kind: Known['kind'], all: readonly { id: string; name: string }[]): Known[] =>
  all.flatMap(({ id, name }) => [id, name].map((each) => ({ kind, name: each })))
