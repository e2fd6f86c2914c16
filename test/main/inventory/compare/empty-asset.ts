import type { Asset } from '../../../../src-shared/model/comparison.ts'

/** An asset of which nothing is said. */
export const emptyAsset: Asset = {
  key: null,
  line: null,
  id: '',
  serial: '',
  mac: '',
  name: '',
  tenant: '',
  site: '',
  room: '',
  place: '',
  model: '',
  firmware: '',
}
