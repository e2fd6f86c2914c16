import type { ChangeKind, DeviceChange } from '../../src-shared/contract/changes-calls.ts'

/** What each kind is called: of one device, and as a choice. */
export const kindWords: Readonly<Record<ChangeKind, string>> = {
  offline: 'Went offline',
  flapped: 'Flapped',
  gone: 'Gone',
  appeared: 'Appeared',
  moved: 'Moved',
  renamed: 'Renamed',
  firmware: 'New firmware',
  back: 'Back online',
}

/** What each kind means, as the hint of its choice. */
export const kindHints: Readonly<Record<ChangeKind, string>> = {
  offline: 'Offline at the end, and not at the beginning',
  flapped: 'Changed as often as the flap threshold says',
  gone: 'No longer listed by the service',
  appeared: 'Listed by the service, and not at the beginning',
  moved: 'In another site or room',
  renamed: 'Has another name',
  firmware: 'Has another firmware, as far as a column with it was loaded',
  back: 'Online at the end, and offline at the beginning',
}

/** Returns the place of a device, for example "Berlin HQ · Room 4 · Acme". */
export const placeText = ({ site, room, tenant }: Pick<DeviceChange, 'site' | 'room' | 'tenant'>): string =>
  [site, room, tenant].filter((part) => part !== '').join(' · ')
