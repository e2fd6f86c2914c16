import type { PlaceDirectory } from '../model/place-directory.ts'

/** Returns "2 accounts, 14 sites, 120 rooms, about 1,900 points", or why nothing is read. */
export function placeDirectoryText(directory: PlaceDirectory): string {
  if (directory.state === 'not-offered') return 'This service lists no accounts, sites and rooms'
  if (directory.state === 'no-schema') return 'Not read: this service does not show its schema'
  const { accounts, sites, rooms, points } = directory
  return [
    ...(accounts === null ? [] : [counted(accounts, 'account')]),
    counted(sites, 'site'),
    counted(rooms, 'room'),
    ...(points === null ? [] : [`about ${counted(points, 'point')}`]),
  ].join(', ')
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`
