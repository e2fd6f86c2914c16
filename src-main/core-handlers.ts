import type { Handlers } from '../src-shared/contract/contract.ts'
import type { Actions } from './actions/actions.ts'
import { incidentHandlers, type Incidents } from './incidents/open.ts'
import { type ReportDeps, reportHandlers, shiftHandover } from './reports/reports.ts'
import type { Channels } from './channels/channels.ts'
import { type Connections } from './connections/connections.ts'
import { connectionHandlers } from './connections/handlers.ts'
import type { InventoryData } from './inventory/thread/protocol.ts'
import { diagnosticsHandlers } from './support/handlers.ts'
import { timeCalls } from './support/startup-times.ts'
import { openDesktopCalls } from './ipc/desktop.ts'
import { inventoryHandlers } from './ipc/inventory.ts'
import { appStateHandlers } from './ipc/app-state.ts'
import { linkHandlers, linkTargets } from './ipc/links.ts'
import { noteHandlers } from './ipc/notes.ts'
import type { followFleet } from './ipc/fleet.ts'
import { type Viewport } from './ipc/viewport.ts'
import { type AvailabilityReports } from './reports/availability.ts'
import { changesHandlers } from './changes/changes.ts'
import { compareHandlers } from './compare/compare.ts'
import { operatorHandlers } from './ipc/operator.ts'
import { environmentHandlers, signOutHandlers } from './ipc/environment.ts'
import { overviewHandlers } from './overview/overview.ts'
import type { Occupancy } from './occupancy/occupancy.ts'
import type { Queries } from './query/queries.ts'
import { teamHandlers, teamStateOf } from './team/handlers.ts'
import { handoverHandlers } from './team/handovers.ts'
import { type OperatorViews } from './settings/views.ts'
import { updateHandlers, type Updates } from './updates/updates.ts'
import type { Base, CoreOptions } from './core-base.ts'
import { sendHandovers } from './core-team.ts'

/** The parts of a running core that answer calls. */
export interface Running {
  views: OperatorViews
  incidents: Incidents
  /** The fleet's totals, and what passes changes on to the window. */
  published: ReturnType<typeof followFleet>
  data: InventoryData
  viewport: Viewport
  connections: Connections
  updates: Updates
  desktop: ReturnType<typeof openDesktopCalls>
  actions: Actions
  queries: Queries
  availability: AvailabilityReports
  occupancy: Occupancy
  channels: Channels
  /** Starts the core again. */
  restart: () => Promise<void>
}

/** Returns the handlers of every call of the contract; each room brings its own. */
export function handlersOf(base: Base, options: CoreOptions, running: Running): Handlers {
  const { self, ports, thread, banners, settings, visits } = base
  const {
    views,
    incidents,
    published,
    viewport,
    connections,
    updates,
    desktop,
    actions,
    queries,
    availability,
    occupancy,
    channels,
  } = running
  return {
    ...inventoryHandlers({ data: thread.data, clock: ports.clock, viewport, marks: self.marks }),
    ...timeCalls(
      self.marks,
      connectionHandlers(connections, thread.data, () => forgotten(base, incidents)),
    ),
    ...operatorHandlers(settings, views, incidents.runner, banners),
    ...timeCalls(self.marks, environmentHandlers(ports)),
    ...signOutHandlers(options),
    ...linkHandlers(banners, linkTargets(thread.data, connections)),
    ...desktop.handlers,
    ...updateHandlers(updates),
    ...actions.handlers,
    ...queries.handlers,
    ...noteHandlers({
      data: thread.data,
      clock: ports.clock,
      operator: base.team?.team.state().operator ?? null,
      publish: published.publish,
      recheck: incidents.runner.recheck,
    }),
    ...overviewHandlers({ data: thread.data, settings: settings.get, clock: ports.clock }),
    ...compareHandlers({ data: thread.data, ...ports }),
    ...changesHandlers({ data: thread.data, settings: settings.get, clock: ports.clock, visits }),
    ...incidentHandlers(incidents, thread.data, ports.clock),
    ...availability.handlers,
    ...occupancy.handlers,
    ...channels.handlers,
    ...teamHandlers({
      ports: base.own,
      joined: base.team,
      connections,
      isDemo: options.demo !== null,
      restart: running.restart,
      signal: base.stopping.signal,
    }),
    ...shiftHandlers(base, options, running),
    ...stateHandlers(base, options, running),
  }
}

/** The data of a connection was erased. */
async function forgotten(base: Base, incidents: Incidents): Promise<void> {
  sendHandovers(base)
  await incidents.reload()
}

/** The calls that write a report of an incident and of a shift, and hand a shift over. */
function shiftHandlers(
  base: Base,
  { version }: CoreOptions,
  { incidents, connections, published }: Pick<Running, 'incidents' | 'connections' | 'published'>,
) {
  const { ring, ports, thread, settings, team } = base
  const deps: ReportDeps = {
    ...incidents,
    data: thread.data,
    lines: ring.lines,
    connections: connections.states,
    totals: () => published.fleet.totals,
    utc: () => settings.get().times === 'utc',
    clock: ports.clock,
    version,
  }
  return {
    ...reportHandlers(deps),
    ...handoverHandlers({
      data: thread.data,
      team: team?.team ?? null,
      clock: ports.clock,
      write: (span) => shiftHandover(deps, span),
      onChange: () => sendHandovers(base),
    }),
  }
}

/** The calls that tell the state of all parts together. */
function stateHandlers(
  { self, names, ring, ports, banners, settings, team: joined }: Base,
  options: CoreOptions,
  { views, incidents, published, data, connections, updates }: Running,
) {
  return {
    ...diagnosticsHandlers({
      ports,
      about: options,
      self,
      names,
      data,
      snapshot: connections.snapshot,
      updates: updates.state,
      team: () => teamStateOf({ ports, joined, connections }).joined,
      lines: ring.lines,
      settings: settings.get,
      states: connections.states,
    }),
    ...appStateHandlers({
      ports,
      options,
      marks: self.marks,
      fleet: published.fleet,
      connections,
      incidents,
      banners,
      settings,
      views,
      updates,
    }),
  }
}
