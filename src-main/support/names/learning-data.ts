import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Known } from './name-shapes.ts'
import type { Names } from './names.ts'

type Learned = Pick<InventoryData, 'tenants' | 'places'>

/** Returns the data thread's calls that bring tenants and accounts; their ids and names are learned first. */
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
  }
}

const knownAs = (kind: Known['kind'], all: readonly { id: string; name: string }[]): Known[] =>
  all.flatMap(({ id, name }) => [id, name].map((each) => ({ kind, name: each })))
