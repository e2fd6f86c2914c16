import type { MutationOffer } from '../api/mutations/mutations.ts'
import type { Sender } from '../connections/senders.ts'
import type { Access } from '../../src-shared/model/access.ts'
import { assertNever, type FaultKind } from '../../src-shared/model/fault.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { DeviceValues, JobKind, Obstacle } from '../../src-shared/model/jobs.ts'
import type { KnownTenant } from './tenants.ts'

export type Chosen = { sender: Sender } | { obstacle: Obstacle }

/** What the service said to one operation. */
export type Permission = 'confirmed' | 'forbidden'

/** Chooses which connection acts, and remembers what a role forbids. */
export interface SenderChoice {
  /**
   * Returns the running connection that acts on a device: one of `connections`, which list it, whose service offers what
   * is wanted and whose role allows it: the first in the operator's order that is not `likely` forbidden, else the first.
   * Or what stands in the way: `not-offered`, `role`, or `paused` where none runs or its service's schema is not known.
   * `isOffered`: what is needed of the offer; default: the kind.
   */
  chooseSender(
    tenant: Pick<KnownTenant, 'senders'>,
    connections: readonly string[],
    kind: JobKind,
    isOffered?: (offer: MutationOffer) => boolean,
  ): Chosen
  /**
   * Records whether the service took an operation of a kind, or rejected all of it with the fault `forbidden`. It is
   * forgotten after some minutes, and with the link: a restarted connection may have another role.
   */
  notePermission(link: object, kind: JobKind, permission: Permission): void
  /**
   * Returns whether the role of a connection forbids a kind, as far as it is known: as the service tells the role, or as
   * it rejected operations. A rejection may mean its device alone, where a credential set may act on some accounts: it is
   * `likely` where the service took no operation of the kind before, and `certain` after several in a row.
   */
  forbids(sender: Pick<Sender, 'link' | 'access'>, kind: JobKind): 'likely' | 'certain' | null
}

/** Rejections in a row after which the role is the reason, whatever their devices were. */
const certainRejections = 3
/** What was learned from rejections holds for this long, ms. */
export const permissionMs = 10 * 60_000

interface Learned {
  /** Since the last confirmation. */
  rejections: number
  wasConfirmed: boolean
  /** Of the last rejection, monotonic, ms. */
  at: number
}

export function createSenderChoice(clock: Pick<Clock, 'monotonic'>): SenderChoice {
  const byLink = new WeakMap<object, Map<JobKind, Learned>>()
  const learned = (link: object, kind: JobKind): Learned => {
    const known = byLink.get(link)?.get(rightOf(kind))
    return known === undefined || clock.monotonic() - known.at > permissionMs ? unlearned : known
  }
  const forbids: SenderChoice['forbids'] = ({ link, access }, kind) => {
    if (access !== undefined && isReadOnly(access)) return 'certain'
    const { rejections, wasConfirmed } = learned(link, kind)
    if (rejections >= certainRejections) return 'certain'
    return rejections > 0 && !wasConfirmed ? 'likely' : null
  }
  return {
    forbids,
    notePermission(link, kind, permission) {
      const before = learned(link, kind)
      const known = byLink.get(link) ?? new Map<JobKind, Learned>()
      byLink.set(link, known)
      known.set(rightOf(kind), {
        rejections: permission === 'forbidden' ? before.rejections + 1 : 0,
        wasConfirmed: permission === 'confirmed' || before.wasConfirmed,
        at: clock.monotonic(),
      })
    },
    chooseSender(tenant, connections, kind, isOffered = (offer) => offersKind(offer, kind)) {
      const found = new Set<Obstacle>()
      const likelyForbidden: Sender[] = []
      for (const sender of tenant.senders) {
        if (!connections.includes(sender.connection)) continue
        const forbidden = forbids(sender, kind)
        const obstacle = obstacleOf(sender, isOffered) ?? (forbidden === 'certain' ? 'role' : null)
        if (obstacle !== null) found.add(obstacle)
        else if (forbidden === null) return { sender }
        else likelyForbidden.push(sender)
      }
      const [last] = likelyForbidden
      if (last !== undefined) return { sender: last }
      // What passes by itself comes first: another connection may be able to soon.
      return { obstacle: (['paused', 'role', 'not-offered'] as const).find((each) => found.has(each)) ?? 'paused' }
    },
  }
}

const unlearned: Learned = { rejections: 0, wasConfirmed: false, at: 0 }

/** Returns whether a service offers a kind at all. */
function offersKind({ reboot, update, site, room }: MutationOffer, kind: JobKind): boolean {
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

/** Returns what an action on a device needs of an offer: a reboot its linked devices, the others what they change. */
export const neededFor =
  (kind: JobKind, linkedDevices: boolean, { name, site, room }: DeviceValues) =>
  (offer: MutationOffer): boolean => {
    const { reboot, update } = offer
    if (kind === 'reboot') return reboot !== null && (!linkedDevices || reboot.linkedDevices)
    if (kind === 'site' || kind === 'room') return offersKind(offer, kind)
    return (
      update !== null &&
      (name === undefined || update.name) &&
      (site === undefined || update.site) &&
      (room === undefined || update.room)
    )
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

/** Kinds that are one mutation of the service have one right: a role that forbids one forbids all of them. */
const rightOf = (kind: JobKind): JobKind => (kind === 'rename' || kind === 'move' ? 'update' : kind)

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
