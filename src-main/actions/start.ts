import type { Clock } from '../../src-shared/lib/clock.ts'
import { toFault } from '../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { ExpectedReboot, JobKind } from '../../src-shared/model/jobs.ts'
import type { Connections } from '../connections/connections.ts'
import { tenantNode } from '../inventory/keys.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import type { Publisher } from '../ipc/publish.ts'
import type { OperatorSettings } from '../settings/settings.ts'
import type { CoreTeam } from '../team/core-team.ts'
import { openActions, type Actions, type WrittenTenant } from './actions.ts'

interface Base {
  ports: { clock: Clock; log: Log }
  settings: Pick<OperatorSettings, 'get' | 'onChange'>
  publisher: Publisher
  /** Null for a Muster on its own. */
  team: Pick<CoreTeam, 'team'> | null
}

/** The parts of the core that act with the actions. They are asked when they exist. */
interface Surroundings {
  /** What it writes and reads is learned as a name first, before it can be logged. */
  data: InventoryData
  /** Returns the running connections; null before they are opened. */
  connections: () => Pick<Connections, 'senders' | 'states' | 'read'> | null
  expectReboots: (all: readonly ExpectedReboot[]) => void
}

/** Shortest interval between two updates of the actions' state, ms: a job changes with each answer. */
const stateMs = 250

/** Opens the actions of a core, and restores the jobs that were not ended. */
export async function startActions(
  { ports: { clock, log }, settings, publisher, team }: Base,
  { lockEvents = false, actionsOff = false }: { lockEvents?: boolean; actionsOff?: boolean },
  { data, connections, expectReboots }: Surroundings,
): Promise<Actions> {
  const actions = openActions({
    data,
    clock,
    log,
    lockEvents,
    fixedOff: actionsOff ? 'managed' : null,
    readBy: (ids) =>
      connections()
        ?.states()
        .find(({ id, readBy }) => readBy !== undefined && ids.includes(id))?.readBy ?? null,
    team: team && {
      member: team.team.member,
      operator: () => team.team.state().operator,
      members: () => team.team.state().members,
    },
    settings: settings.get,
    senders: () => connections()?.senders() ?? [],
    onState: (read) => publisher.sendSoon('actions', read, stateMs),
    onExpected: expectReboots,
    onWritten(tenants, kind) {
      const present = connections()
      if (present !== null) readWritten(present, tenants, kind, log)
    },
  })
  settings.onChange(actions.changed)
  // Nothing is started while they cannot be read: each start of a job tries again.
  await actions
    .restore()
    .catch((error: unknown) => log('error', `the jobs could not be restored (${toFault(error).kind})`))
  return actions
}

interface Reading extends Pick<Connections, 'read'> {
  states(): readonly Pick<ConnectionState, 'id' | 'link'>[]
}

/**
 * Reads tenants again after a job has changed their places, which no live event brings. A new name comes with an event;
 * where no connection that lists the tenant is live, it is read too.
 */
export function readWritten(connections: Reading, written: readonly WrittenTenant[], kind: JobKind, log: Log): void {
  const live = new Set(connections.states().flatMap(({ id, link }) => (link.state === 'live' ? [id] : [])))
  for (const { tenant, connections: listing } of written) {
    if (kind === 'rename' && listing.some((id) => live.has(id))) continue
    connections
      .read(tenantNode(tenant))
      .catch((error: unknown) => log('warn', `a tenant could not be read after a job (${toFault(error).kind})`))
  }
}

/** Returns the core's `power`: a locked screen and sleep lock all tenants, and sleep interrupts the jobs. */
export const powerCall =
  (actions: Pick<Actions, 'lock' | 'sleep'>, connections: { power(event: 'sleeps' | 'wakes'): void }) =>
  (word: 'sleeps' | 'wakes' | 'locks' | 'unlocks'): void => {
    if (word === 'sleeps') actions.sleep()
    if (word === 'locks') actions.lock()
    if (word !== 'locks') connections.power(word === 'sleeps' ? 'sleeps' : 'wakes')
  }
