import type { MutationOffer } from '../api/mutations/mutations.ts'
import type { Sender } from '../connections/senders.ts'
import type { Access } from '../../src-shared/model/access.ts'
import { assertNever, type FaultKind } from '../../src-shared/model/fault.ts'
import type { JobKind, Obstacle } from '../../src-shared/model/jobs.ts'
import type { KnownTenant } from './tenants.ts'

export type Chosen = { sender: Sender } | { obstacle: Obstacle }

/** Chooses which connection acts, and remembers what a role forbids. */
export interface SenderChoice {
  /**
   * Returns the running connection that acts on a device: one of `connections`, which list it, whose service offers the
   * kind and whose role allows it, the first in the operator's order. Or what stands in the way: `not-offered`, `role`, or
   * `paused` where none runs or its service's schema is not known. `isOffered`: what is needed of the offer; default: the kind.
   */
  chooseSender(
    tenant: Pick<KnownTenant, 'senders'>,
    connections: readonly string[],
    kind: JobKind,
    isOffered?: (offer: MutationOffer) => boolean,
  ): Chosen
  /**
   * Records that the service rejected a kind with the fault `forbidden`. It is forgotten with the link: a restarted
   * connection may have another role.
   */
  noteForbidden(link: object, kind: JobKind): void
  /** Returns whether the role of a connection forbids a kind, as far as it is known. */
  isForbidden(sender: Pick<Sender, 'link' | 'access'>, kind: JobKind): boolean
}

export function createSenderChoice(): SenderChoice {
  const forbidden = new WeakMap<object, Set<JobKind>>()
  const isForbidden: SenderChoice['isForbidden'] = ({ link, access }, kind) =>
    forbidden.get(link)?.has(kind) === true || (access !== undefined && isReadOnly(access))
  return {
    isForbidden,
    noteForbidden(link, kind) {
      const known = forbidden.get(link) ?? new Set()
      for (const each of sameRight(kind)) known.add(each)
      forbidden.set(link, known)
    },
    chooseSender(tenant, connections, kind, isOffered = (offer) => offersKind(offer, kind)) {
      const found = new Set<Obstacle>()
      for (const sender of tenant.senders) {
        if (!connections.includes(sender.connection)) continue
        const obstacle = obstacleOf(sender, isOffered) ?? (isForbidden(sender, kind) ? 'role' : null)
        if (obstacle === null) return { sender }
        found.add(obstacle)
      }
      // What passes by itself comes first: another connection may be able to soon.
      return { obstacle: (['paused', 'role', 'not-offered'] as const).find((each) => found.has(each)) ?? 'paused' }
    },
  }
}

/** Returns whether a service offers a kind at all. */
export function offersKind(offer: MutationOffer, kind: JobKind): boolean {
  const { reboot, update, site, room } = offer
  switch (kind) {
    case 'reboot':
      return reboot !== null
    case 'rename':
      return update?.name === true
    case 'move':
      return update !== null && (update.site || update.room)
    case 'update':
      return update !== null && (update.name || update.site || update.room)
    case 'site':
      return site !== null
    case 'room':
      return room !== null
    default:
      return assertNever(kind)
  }
}

/** Faults that say that the service does not tell its schema; any other may pass. */
const withheld: ReadonlySet<FaultKind> = new Set(['query', 'forbidden'])

function obstacleOf({ mutations }: Sender, isOffered: (offer: MutationOffer) => boolean): Obstacle | null {
  if (mutations === null) return 'not-offered'
  const offer = mutations.offer()
  if (offer !== null) return isOffered(offer) ? null : 'not-offered'
  const fault = mutations.offerFault()
  return fault !== null && withheld.has(fault.kind) ? 'not-offered' : 'paused'
}

/** The kinds that are one mutation of the service: a role that forbids one forbids all of them. */
const sameRight = (kind: JobKind): readonly JobKind[] =>
  kind === 'rename' || kind === 'move' || kind === 'update' ? ['rename', 'move', 'update'] : [kind]

/** Roles that may only read: those of the reference service, and names that mean nothing else. */
const readOnlyRoles: ReadonlySet<string> = new Set([
  'user',
  'device-user',
  'read-only',
  'readonly',
  'viewer',
  'read-only-user',
])

/** Returns whether every role of a credential set is known to be read-only. An unknown name forbids nothing. */
const isReadOnly = ({ roles }: Access): boolean =>
  roles.length > 0 && roles.every((role) => readOnlyRoles.has(role.trim().toLowerCase().replaceAll(/[\s_]/g, '-')))
