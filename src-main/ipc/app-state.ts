import { join } from 'node:path'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Counts } from '../../src-shared/model/inventory.ts'
import type { Connections } from '../connections/connections.ts'
import type { Incidents } from '../incidents/open.ts'
import type { Ports } from '../ports.ts'
import type { OperatorSettings } from '../settings/settings.ts'
import type { OperatorViews } from '../settings/views.ts'
import type { StartupTimes } from '../support/startup-times.ts'
import type { Updates } from '../updates/updates.ts'
import type { Banners } from './banners.ts'
import type { DesktopAbilities } from './desktop.ts'
import { environmentState } from './environment.ts'

export interface AppStateDeps {
  ports: Ports
  /** The core's options that a window shows or that decide what it offers. */
  options: {
    version: string
    shell: 'web' | 'electron'
    demo: object | null
    desktop?: Pick<DesktopAbilities, 'startsAtLogin'> | null
    startOther?: unknown
    signOut?: () => void
  }
  marks: Pick<StartupTimes, 'mark'>
  fleet: { totals: Counts; rev: number }
  connections: Pick<Connections, 'states' | 'gauges' | 'columns'>
  incidents: Pick<Incidents, 'state'>
  banners: Pick<Banners, 'all'>
  settings: Pick<OperatorSettings, 'get'>
  views: Pick<OperatorViews, 'all'>
  updates: Pick<Updates, 'state'>
}

/** Returns the call by which a window gets all that it needs to draw itself. */
export function appStateHandlers(deps: AppStateDeps): Pick<Handlers, 'app.state'> {
  const { ports, options, marks, fleet, connections, incidents, banners, settings, views, updates } = deps
  const { version, shell, demo, desktop = null, startOther = null, signOut } = options
  const about = {
    version,
    shell,
    demo: demo !== null,
    can: {
      startAtLogin: desktop?.startsAtLogin === true,
      startOther: startOther !== null,
      signOut: signOut !== undefined,
    },
    settingsFile: join(ports.paths.profile, 'settings.json'),
  }
  return {
    'app.state': async () => {
      marks.mark('asked')
      return {
        ...about,
        ...environmentState(ports),
        ...fleet,
        connections: connections.states(),
        gauges: connections.gauges(),
        columns: connections.columns.state(),
        ...incidents.state(),
        banners: banners.all(),
        settings: settings.get(),
        views: views.all(),
        updates: updates.state(),
      }
    },
  }
}
