import type { Message, MessageOf } from '../../src-shared/model/messages.ts'
import type { Incident } from './engine/incident.ts'

/**
 * Returns the message of an incident in its present state. When all devices are back, it describes the peak. It calls
 * no device offline that Muster does not see (invariant 4).
 */
export function incidentMessage(
  incident: Omit<Incident, 'message'>,
  overrode: MessageOf<'offline'>['overrode'],
): Message {
  const { kind, origin, closedAt } = incident
  const { shape, where, context } = incident.scope
  const { named, since, down, unseen, othersDown, peak, reboots } = incident.extent
  const scope = { shape, where, context: [...context], names: named.map(({ name }) => name), since }
  if (down === 0 && unseen > 0 && closedAt === null)
    return { kind: 'unseen', ...scope, count: unseen, was: kind === 'flapping' ? 'flapping' : 'offline' }
  const count = down > 0 ? down : peak
  if (kind === 'flapping') return { kind: 'flapping', ...scope, count }
  return {
    kind: 'offline',
    ...scope,
    count,
    missed: origin === 'absence',
    others: down === 0 ? 0 : othersDown,
    unseen,
    overrode,
    ...(reboots !== undefined && { reboots }),
  }
}
