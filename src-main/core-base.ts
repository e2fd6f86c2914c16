import { ringLog } from './reports/log-ring.ts'
import type { ConnectionRecord } from './connections/stored/record.ts'
import { type DemoService } from './connections/connections.ts'
import { startData } from './inventory/thread/client.ts'
import type { OpenResult } from './inventory/thread/open-result.ts'
import { createNames, createProxyNames, learnProxies } from './support/names/names.ts'
import { startSelf } from './support/self.ts'
import { type DesktopAbilities, type StartOther } from './ipc/desktop.ts'
import { openVisits } from './changes/visits.ts'
import { createBanners } from './ipc/banners.ts'
import { createPublisher } from './ipc/publish.ts'
import { reportStartup } from './ipc/startup-banners.ts'
import type { Ports } from './ports.ts'
import { startDayFilling } from './overview/day-filling.ts'
import { openSettings } from './settings/start.ts'
import { openCoreTeam, teamPorts } from './team/core-team.ts'
import { loadJoined } from './team/stored.ts'
import type { UpdateEnvironment } from './updates/ports.ts'

export interface CoreOptions {
  shell: 'web' | 'electron'
  /** True when the page runs in Chromium's sandbox; left out in a browser. */
  sandbox?: boolean
  version: string
  /** The demo's reference service; null for real connections. */
  demo: DemoService | null
  /** Null in a browser. */
  desktop?: DesktopAbilities | null
  /** Ends the sessions of all windows, where windows sign in. */
  signOut?: () => void
  /** Starts the demo beside one's own connections, or the other way; missing where nothing can. */
  startOther?: StartOther | null
  /** True where `power` is told of a locked screen. */
  lockEvents?: boolean
  /** True where the policy file switches actions off. */
  actionsOff?: boolean
  /** Channels of a list, made and changed at the start, as in `Channels.importList`. */
  channels?: { list: readonly unknown[]; isTrusted: boolean }
  /** Returns whether the secret of a team's connection may be sent to its addresses, although nobody typed it here. */
  trusted?: (record: ConnectionRecord) => boolean
  /** How this copy of Muster is updated; left out in a browser. */
  updates?: UpdateEnvironment
}

type Recover = (reopened: Promise<OpenResult> | null) => void
export type Base = Awaited<ReturnType<typeof openBase>>

/** Opens the base of everything else: the data thread, and the banners of the start. */
export async function openBase(given: Ports, options: CoreOptions) {
  const self = startSelf(given.clock)
  const names = createNames()
  const ring = ringLog(names.marking(given.log), given.clock)
  const own: Ports = { ...given, log: ring.log }
  const joined = options.demo === null ? loadJoined(own.settings) : null
  const kept = joined === null ? own : teamPorts(own, joined)
  const publisher = createPublisher(own.clock)
  // Before all parts exist nothing can be recovered: the start itself fails and reports it.
  let recover: Recover = () => {}
  const started = await startData({
    profile: kept.paths.profile,
    thread: kept.paths.dataThread,
    onDied: (reopened) => recover(reopened),
  })
  self.marks.mark('files')
  const team = joined === null ? null : openCoreTeam(own, kept, joined, options, started.data)
  // In a team, calls are carried out by all members, and times are the database's.
  const ports: Ports = team === null ? kept : { ...kept, clock: team.team.clock }
  const thread = team === null ? started : { ...started, data: team.team.data }
  const banners = createBanners(ports.clock, publisher)
  reportStartup(ports, thread, options.demo !== null, banners)
  const settings = await openSettings(ports, options.demo !== null, banners, publisher, team?.team.data ?? null)
  return {
    self,
    names,
    ring,
    /** The ports of this Muster on its own. */
    own,
    ports,
    publisher,
    thread,
    /** Aborts when the core stops. */
    stopping: new AbortController(),
    /** The calls of this Muster's own data thread. */
    local: started.data,
    /** Null for a Muster on its own. */
    team,
    banners,
    settings,
    visits: openVisits(ports),
    stopFilling: startDayFilling({ data: thread.data, ...ports }),
    learnProxiesFor: createProxyNames(names, ports.network),
    stopLearning: learnProxies(names, ports.proxies),
    onRecover(next: Recover) {
      recover = next
    },
  }
}
