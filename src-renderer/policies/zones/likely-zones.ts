import { zoneName } from '../../../src-shared/maintenance/zones.ts'

const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/**
 * Returns the zones to suggest first for a place: those of a city in its name ("Berlin Mitte": Europe/Berlin), then
 * this computer's.
 */
export function likelyZones(place: string, known: readonly string[], own: string): string[] {
  const named = words(place)
  const cities = known.filter(
    (zone) => zone.includes('/') && named.includes(words(zone.slice(zone.lastIndexOf('/') + 1))),
  )
  return [...cities, zoneName(own)]
}
