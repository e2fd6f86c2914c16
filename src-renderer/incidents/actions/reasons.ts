import type { Incident } from '../../../src-shared/model/incidents.ts'

const commonReasons = [
  'On it',
  'Planned work',
  'Known fault, ticket open',
  'Power or network at the site',
  'Waiting for the provider',
] as const

/**
 * Returns at most six reasons: those that were given in this window, the last one first, then those of acknowledged
 * incidents, then common ones.
 */
export function offeredReasons(
  own: readonly string[],
  incidents: readonly Pick<Incident, 'acknowledged'>[],
): readonly string[] {
  const given = incidents
    .map(({ acknowledged }) => acknowledged)
    .filter((acknowledgement) => acknowledgement !== null)
    .toSorted((one, other) => other.at - one.at)
    .map(({ reason }) => reason)
  return [...new Set([...own, ...given, ...commonReasons])].filter((reason) => reason !== '').slice(0, 6)
}
