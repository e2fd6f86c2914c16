import type { Clock } from '../../src-shared/lib/clock.ts'
import { jobKinds, type JobKind, type Obstacle, type TenantActions } from '../../src-shared/model/jobs.ts'
import type { Mutations } from '../api/mutations/mutations.ts'
import type { Sender } from '../connections/senders.ts'
import { permissionMs, type Chosen, type Permission, type SenderChoice } from './choose-sender.ts'
import type { KnownTenant } from './tenants.ts'

/** What the services of the tenants offer, read when somebody first wants to know. */
export interface Offers {
  /** Returns what can be done in a tenant; all is unknown before it was wanted. */
  of(tenant: KnownTenant): Pick<TenantActions, 'offered' | 'role' | 'unknown' | 'linkedDevices'>
  /** Reads from now on what the senders offer. */
  want(): void
  /** Follows the present senders. */
  follow(senders: readonly Sender[]): void
  /** Records what the service said to an operation of a sender, and reports the change, also when that is forgotten. */
  notePermission(sender: Sender, kind: JobKind, permission: Permission): void
  /** Resolves when it is known what these senders offer, or after a while. */
  known(senders: readonly Sender[], signal: AbortSignal): Promise<void>
  stop(): void
}

/** A job waits so long for what a connection that has just begun offers, ms. */
const schemaMs = 20_000

export function createOffers(choice: SenderChoice, clock: Clock, onChange: () => void): Offers {
  const followed = new Map<object, () => void>()
  let wanted = false
  let forget: (() => void) | null = null
  return {
    of(tenant) {
      if (!wanted) return { offered: [], role: [], unknown: [...jobKinds], linkedDevices: false }
      const listing = tenant.senders.map(({ connection }) => connection)
      const chosen = jobKinds.map((kind) => ({ kind, found: chosenFor(choice, tenant, listing, kind) }))
      const blocked = (obstacle: Obstacle) =>
        chosen.flatMap(({ kind, found }) => ('obstacle' in found && found.obstacle === obstacle ? [kind] : []))
      const reboot = chosen.find(({ kind }) => kind === 'reboot')?.found
      return {
        offered: chosen.flatMap(({ kind, found }) => ('sender' in found ? [kind] : [])),
        role: blocked('role'),
        unknown: blocked('paused'),
        linkedDevices:
          reboot !== undefined &&
          'sender' in reboot &&
          reboot.sender.mutations?.offer()?.reboot?.linkedDevices === true,
      }
    },
    want() {
      wanted = true
    },
    follow(senders) {
      const present = new Set(senders.map(({ link }) => link))
      for (const [link, off] of followed)
        if (!present.has(link)) {
          off()
          followed.delete(link)
        }
      for (const { link, mutations } of senders)
        if (mutations !== null && !followed.has(link)) followed.set(link, mutations.onOffer(onChange))
    },
    async known(senders, signal) {
      const over = new AbortController()
      const cancel = clock.after(schemaMs, () => over.abort())
      await offersKnown(senders, AbortSignal.any([signal, over.signal]))
      cancel()
    },
    notePermission(sender, kind, permission) {
      const before = choice.forbids(sender, kind)
      choice.notePermission(sender.link, kind, permission)
      if (permission === 'forbidden') {
        forget?.()
        forget = clock.after(permissionMs + 1, onChange)
      }
      if (choice.forbids(sender, kind) !== before) onChange()
    },
    stop() {
      forget?.()
      for (const off of followed.values()) off()
      followed.clear()
    },
  }
}

/** Returns who acts in a tenant; one whose role likely forbids it does not. */
function chosenFor(choice: SenderChoice, tenant: KnownTenant, listing: readonly string[], kind: JobKind): Chosen {
  const found = choice.chooseSender(tenant, listing, kind)
  return 'sender' in found && choice.forbids(found.sender, kind) !== null ? { obstacle: 'role' } : found
}

/** Resolves when it is known what these connections' services offer, or why not, or when the signal aborts. */
export async function offersKnown(senders: Iterable<Sender>, signal: AbortSignal): Promise<void> {
  const all = new Set([...senders].flatMap(({ mutations }) => mutations ?? []))
  await Promise.all([...all].map((mutations) => offerKnown(mutations, signal)))
}

function offerKnown(mutations: Mutations, signal: AbortSignal): Promise<void> {
  const isKnown = () => mutations.offer() !== null || mutations.offerFault() !== null
  return new Promise((resolve) => {
    if (isKnown() || signal.aborted) return resolve()
    const off = mutations.onOffer(() => {
      if (isKnown()) end()
    })
    const end = () => {
      off()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}
