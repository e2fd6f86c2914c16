import { changesPart } from '../../changes/query.ts'
import { shownFirmware } from '../../overview/firmware/shown-firmware.ts'
import type { Screen } from '../../../src-shared/navigation/screens.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { percentText } from '../../../src-shared/text/counts.ts'
import { isolated } from '../../../src-shared/text/direction.ts'
import { actionItems } from '../../actions/entries/palette.ts'
import { incidentItems } from '../../incidents/actions/palette.ts'
import { policyItems } from '../../policies/palette.ts'
import { selectedCount } from '../../inventory/table/selection.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { pauses } from '../../notifications/format.ts'
import { shownReport } from '../../overview/report/shown-report.ts'
import { changeSettings } from '../../settings/change-settings.ts'
import { sharedText } from '../../team/shared-mark.tsx'
import { showWall } from '../../wall/shown-wall.ts'
import { showOffers } from '../../query/offers/offers-state.ts'
import { actionLabels, disabledText, updateActions, updateLine } from '../../lib/format/updates.ts'
import { item, type Item } from './item.ts'
import { type PaletteContext, inInventory, press, enter } from './palette-context.ts'
import { filterItems, deviceItems } from './device-actions.ts'

/** Returns all actions of the palette. */
export function actionsOf(context: PaletteContext): readonly Item[] {
  return [
    ...filterItems(context),
    ...deviceItems(context),
    ...deviceActionItems(context),
    ...incidents(context),
    ...maintenanceActions(context),
    ...syncs(context),
    ...views(context),
    ...screens(context),
    ...notifications(context),
    ...points(context),
    ...updates(context),
    ...appearance(context),
  ]
}

function deviceActionItems({ deviceActions, inventory, app, onScreen }: PaletteContext): readonly Item[] {
  const { selection, rows, view } = inventory
  const selected = selectedCount(selection.state.get(), rows.state.get().total ?? 0)
  return actionItems({
    deviceActions,
    connections: app.connections,
    subject: inventory.subject(),
    selected,
    scope: view.get().path.at(-1)?.id ?? null,
    toScreen: () => onScreen('actions'),
  })
}

function incidents({ incidents, now, app, onScreen }: PaletteContext): readonly Item[] {
  return incidentItems({ incidents, now, times: app.settings.times, toScreen: () => onScreen('incidents') })
}

function maintenanceActions({ policyEditor, inventory, app, onScreen }: PaletteContext): readonly Item[] {
  // A region has neither a zone nor thresholds.
  const [, ...path] = inventory.view.get().path
  return policyItems({
    policyEditor,
    windows: app.policies.windows.length,
    place: path.at(-1) ?? null,
    room: path.length === 3,
    toSettings: () => onScreen('settings'),
  })
}

function syncs({ inventory, onRefresh, app }: PaletteContext): readonly Item[] {
  const place = inventory.view.get().path.at(-1)
  const group = 'Read'
  const reason = app.connections.length === 0 ? 'There is no connection.' : ''
  return [
    ...(place === undefined
      ? []
      : [
          item({
            id: 'read here',
            group,
            label: `Refresh ${isolated(place.name)}…`,
            keys: 'F5',
            also: 'reload sync',
            reason,
            run: () => onRefresh('place'),
          }),
        ]),
    item({
      id: 'read all',
      group,
      label: 'Sync all tenants…',
      keys: place === undefined ? 'F5' : 'Shift F5',
      also: 'refresh reload full everything',
      reason,
      run: () => onRefresh('all'),
    }),
  ]
}

function points(context: PaletteContext): readonly Item[] {
  const { incidents, app, onScreen } = context
  const group = 'Points'
  const { backgroundPaused, reservePercent, backgroundLimitPercent } = app.settings
  const turn = () => void changeSettings(context, { backgroundPaused: !backgroundPaused })
  const limits = `${percentText(reservePercent)} reserved, limit ${percentText(backgroundLimitPercent)}`
  return [
    item({
      id: 'points',
      group,
      label: 'Show the points',
      also: 'cost gauge balance budget limit quota',
      reason: app.gauges.length === 0 ? 'There is no connection.' : '',
      run: press('points'),
    }),
    item({
      id: 'background',
      group,
      label: backgroundPaused ? 'Resume background work' : 'Pause background work',
      also: 'points stop hold resume continue readings unpause',
      hint: incidents.team.state.get() === null ? '' : sharedText,
      run: turn,
    }),
    item({
      id: 'reserve',
      group,
      label: 'Set reserved points and background limit',
      also: 'points settings reserve ceiling budget limits per cent',
      hint: limits,
      run: () => onScreen('settings', 'points'),
    }),
  ]
}

function views(context: PaletteContext): readonly Item[] {
  const group = 'Saved views'
  const open = context.app.views.map((view) =>
    item({
      id: `view ${view.id}`,
      group,
      label: view.name,
      hint: view.query.filter,
      also: 'view saved open',
      run: inInventory(context, () => void context.inventory.openView(view)),
    }),
  )
  return [
    ...open,
    item({
      id: 'save view',
      group,
      label: 'Save current view',
      also: 'bookmark',
      run: inInventory(context, press('save-view')),
    }),
  ]
}

/** The screens with what else they are found by. */
const screenWords: readonly [Screen, label: string, also: string][] = [
  ['overview', 'Overview', 'dashboard map tenants home worst availability'],
  ['inventory', 'Inventory', 'devices'],
  ['incidents', 'Incidents', 'alerts outages open acknowledged closed'],
  ['changes', 'Changes', 'what changed appeared gone moved renamed flapped since'],
  ['actions', 'Actions', 'jobs reboot rename move history'],
  ['query', 'Query', 'graphql ask document explorer playground schema'],
  ['connections', 'Connections', 'customers services'],
  ['diagnostics', 'Diagnostics', 'versions memory start times sockets log performance'],
  ['settings', 'Settings', 'preferences options'],
]

function screens(context: PaletteContext): readonly Item[] {
  const { onScreen, onHelp, onAdd, app } = context
  const group = 'Go to'
  return [
    ...screenWords.map(([screen, label, also]) =>
      item({ id: `screen ${screen}`, group, label, also: `screen ${also}`, run: () => onScreen(screen) }),
    ),
    ...app.connections.map(({ id, name }) =>
      item({
        id: `offers ${id}`,
        group,
        label: `What ${isolated(name)} offers`,
        also: 'schema queries mutations subscriptions fields limits regions drift history graphql',
        run: () => showOffers(id),
      }),
    ),
    ...pages(context, group),
    item({
      id: 'support bundle',
      group,
      label: 'Make a support bundle',
      also: 'zip help log report diagnostics',
      run: () => {
        onScreen('diagnostics')
        afterFrames(enter('support-bundle'))
      },
    }),
    item({
      id: 'notifications',
      group,
      label: 'Open notifications',
      keys: 'F8',
      also: 'bell alerts messages history',
      run: press('notifications'),
    }),
    item({ id: 'add connection', group, label: 'Add a connection', also: 'new customer service', run: onAdd }),
    item({ id: 'keys', group, label: 'List of keys', keys: '?', also: 'help shortcuts', run: onHelp }),
  ]
}

/** Returns what leads to a page of a screen. */
function pages({ session, inventory, onScreen, app }: PaletteContext, group: string): readonly Item[] {
  const place = inventory.view.get().path.at(-1)
  return [
    item({
      id: 'compare',
      group,
      label: 'Compare',
      also: 'asset list csv inventory missing unexpected two tenants sites date past difference audit',
      run() {
        changesPart.set('compare')
        onScreen('changes')
      },
    }),
    item({
      id: 'firmware',
      group,
      label: 'Firmware',
      also: 'software version rollout target behind outdated update model',
      run() {
        shownReport.set(null)
        shownFirmware.set(true)
        onScreen('overview')
      },
    }),
    item({
      id: 'report',
      group,
      label: `Availability report of ${place === undefined ? 'all tenants' : isolated(place.name)}`,
      also: 'sla uptime pdf html csv print outages',
      reason: app.connections.length === 0 ? 'There is no connection.' : '',
      run: () => {
        onScreen('overview')
        shownReport.set(place?.id ?? everything)
      },
    }),
    item({
      id: 'wall',
      group,
      label: 'Wall display',
      keys: 'F11',
      also: 'full screen tv kiosk noc dashboard',
      run: () => showWall(session),
    }),
  ]
}

function notifications({ session, app }: PaletteContext): readonly Item[] {
  const group = 'Notifications'
  const paused = app.notifications.pausedUntil !== null
  const pause = (minutes: number) => () => void session.pipe.call('notifications.pause', { minutes })
  const resume = item({
    id: 'resume',
    group,
    label: 'Resume notifications',
    also: 'unmute unpause alerts',
    reason: paused ? '' : 'They are not paused.',
    run: pause(0),
  })
  const all = pauses.map(({ minutes, word }) =>
    item({
      id: `pause ${minutes}`,
      group,
      label: `Pause notifications for ${word}`,
      also: 'mute silence snooze quiet alerts',
      run: pause(minutes),
    }),
  )
  return paused ? [resume, ...all] : [...all, resume]
}

function updates({
  session,
  app: {
    updates: { now },
  },
  onScreen,
}: PaletteContext): readonly Item[] {
  const group = 'Updates'
  const actions = updateActions(now)
  const offered = (['check', 'download', 'apply'] as const).filter((act) => act === 'check' || actions.includes(act))
  return offered.map((act) =>
    item({
      id: `updates ${act}`,
      group,
      label: act === 'download' ? 'Download the update' : actionLabels[act],
      also: 'updates install new version upgrade',
      hint: updateLine(now),
      reason: actions.includes(act) ? '' : now.is === 'off' ? disabledText(now) : 'It is under way.',
      run: () => {
        void session.pipe.call(`updates.${act}`, {})
        onScreen('settings', 'updates')
      },
    }),
  )
}

function appearance(context: PaletteContext): readonly Item[] {
  const { theme, density, times } = context.app.settings
  const group = 'Appearance'
  const themes = (['dark', 'light', 'system'] as const).filter((each) => each !== theme)
  return [
    ...themes.map((each) =>
      item({
        id: `theme ${each}`,
        group,
        label: each === 'system' ? 'Use the system theme' : `Use the ${each} theme`,
        also: 'theme colours mode',
        run: () => void changeSettings(context, { theme: each }),
      }),
    ),
    item({
      id: 'density',
      group,
      label: density === 'compact' ? 'Use comfortable density' : 'Use compact density',
      also: 'density compact comfortable',
      run: () => void changeSettings(context, { density: density === 'compact' ? 'comfortable' : 'compact' }),
    }),
    item({
      id: 'times',
      group,
      label: times === 'local' ? 'Show times in UTC' : 'Show times in local time',
      also: 'clock zone',
      run: () => void changeSettings(context, { times: times === 'local' ? 'utc' : 'local' }),
    }),
  ]
}
