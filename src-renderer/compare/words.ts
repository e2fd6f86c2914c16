import type { Asset, AssetField, Difference, DifferenceKind, MatchKey } from '../../src-shared/model/comparison.ts'
import { many } from '../lib/format/numbers.ts'
import type { FirstKind } from './comparison.ts'

export const kindWords: Readonly<Record<DifferenceKind, string>> = {
  missing: 'Missing',
  unexpected: 'Unexpected',
  ambiguous: 'Ambiguous',
  moved: 'Moved',
  renamed: 'Renamed',
  model: 'Other model',
  firmware: 'Other firmware',
  same: 'No difference',
}

/** What each kind means, by what the first side is. */
export function kindHint(kind: DifferenceKind, first: FirstKind): string {
  const one = first === 'list' ? 'In the list' : first === 'date' ? 'There at that time' : 'In the first place'
  switch (kind) {
    case 'missing':
      return first === 'date' ? `${one}, and gone now` : `${one}, and not in the fleet’s place`
    case 'unexpected':
      return first === 'date' ? 'There now, and not at that time' : 'In the fleet’s place, and not on the first side'
    case 'ambiguous':
      return 'Several could be meant, or one name has two serials'
    case 'moved':
      return 'On both sides, in another site or room'
    case 'renamed':
      return 'On both sides, with another name'
    case 'model':
      return 'On both sides, with another model'
    case 'firmware':
      return 'On both sides, with another firmware'
    case 'same':
      return 'Nothing that both sides say differs'
  }
}

export const fieldWords: Readonly<Record<AssetField, string>> = {
  id: 'Device ID',
  serial: 'Serial',
  mac: 'MAC',
  name: 'Name',
  tenant: 'Tenant',
  site: 'Site',
  room: 'Room',
  place: 'Site and room',
  model: 'Model',
  firmware: 'Firmware',
}

export const matchWords: Readonly<Record<MatchKey, string>> = {
  key: 'Same device',
  id: 'Device ID',
  serial: 'Serial',
  mac: 'MAC',
  'name-and-room': 'Name, site and room',
  'name-and-site': 'Name and site',
  name: 'Name',
}

/** Returns the place of a side, for example "Berlin · Room 4". */
export const assetPlace = ({ place, tenant, site, room }: Asset, withTenant: boolean): string =>
  [place, site, room, withTenant ? tenant : ''].filter((part) => part !== '').join(' · ')

/** Returns in what a device differs, beside its name and place, or why it is ambiguous. */
export function detailText({ kinds, by, first, second, candidates }: Difference): string {
  if (candidates !== null) {
    const { conflict } = candidates
    if (conflict !== null && first !== null && second !== null) {
      const field = conflict === 'mac' ? 'mac' : 'serial'
      return `Same name, other ${conflict === 'mac' ? 'MAC' : 'serial'}: ${first[field]} and ${second[field]}`
    }
    const key = matchWords[by ?? 'name'].toLowerCase()
    return `${many(candidates.first, 'entry', 'entries')} and ${many(candidates.second, 'device')} with the same ${key}`
  }
  const pairs = [
    kinds.includes('model') ? `Model ${first?.model} → ${second?.model}` : '',
    kinds.includes('firmware') ? `Firmware ${first?.firmware} → ${second?.firmware}` : '',
  ]
  return pairs.filter((part) => part !== '').join(', ')
}
