import { isolated } from '../../src-shared/direction.ts'
import { everything } from '../../src-shared/model.ts'
import type { Room, SettingsPart } from '../../src-shared/rooms.ts'
import type { Incidents } from '../incidents/incidents.ts'
import { incidentItems } from '../incidents/palette.ts'
import type { Inventory } from '../inventory/inventory.ts'
import { enterFilter } from '../inventory/enter-filter.ts'
import { isWatchable } from '../inventory/watch.ts'
import { tellingCopies } from '../inventory/copies.ts'
import { segments, type Segment } from '../inventory/segments.ts'
import { selectedCount } from '../inventory/selection.ts'
import type { QuietDesk } from '../quiet/desk.ts'
import { quietItems } from '../quiet/palette.ts'
import type { AppState, Session } from '../session.ts'
import type { RefreshAsk } from '../shell/use-refresh.ts'
import { afterFrames } from '../ui/after-frames.ts'
import { pauses } from '../tellings/words.ts'
import { figure, many } from '../words/numbers.ts'
import { actWords, offWords, updateActs, updateLine } from '../words/updates.ts'
import { item, type Item } from './item.ts'

export interface PaletteSurroundings {
  inventory: Inventory
  incidents: Incidents
  /** For what is offered until a time of day; ms. */
  now: number
  session: Session
  desk: QuietDesk
  app: AppState
  onRoom: (room: Room, part?: SettingsPart) => void
  onHelp: () => void
  /** Asks what is to be read anew. */
  onRefresh: (ask: RefreshAsk) => void
  onAdd: () => void
}

const segmentWords: Readonly<Record<Segment, string>> = {
  down: 'Show offline devices',
  any: 'Show all devices',
  connected: 'Show online devices',
  unknown: 'Show unknown devices',
}

/** Everything that can be done from the keyboard by its name. */
export function actionsOf(around: PaletteSurroundings): readonly Item[] {
  return [
    ...finding(around),
    ...withDevices(around),
    ...incidents(around),
    ...quiet(around),
    ...reading(around),
    ...views(around),
    ...rooms(around),
    ...telling(around),
    ...points(around),
    ...updating(around),
    ...looks(around),
  ]
}

/** Does it in the inventory's room, once that is drawn. */
function inInventory({ onRoom }: PaletteSurroundings, does: () => void): () => void {
  return () => {
    onRoom('inventory')
    afterFrames(does)
  }
}

/** Presses what is on the screen by its id: its own part knows what follows. */
const press = (id: string) => () => document.getElementById(id)?.click()

/** The same, with the focus on it: what it opens gives the focus back to where it was. */
const enter = (id: string) => () => {
  document.getElementById(id)?.focus()
  press(id)()
}

function finding(around: PaletteSurroundings): readonly Item[] {
  const { inventory } = around
  const group = 'Find'
  const here = inventory.view.get()
  return [
    item({
      id: 'filter',
      group,
      label: 'Filter the devices',
      keys: '/',
      also: 'search find',
      run: inInventory(around, () => enterFilter(inventory)),
    }),
    ...segments.map((segment) =>
      item({
        id: `segment ${segment}`,
        group,
        label: segmentWords[segment],
        also: 'list status down now',
        run: inInventory(around, () => inventory.setSegment(segment)),
      }),
    ),
    item({
      id: 'clear',
      group,
      label: 'Clear the filter',
      reason: here.filter === '' ? 'There is none.' : '',
      run: inInventory(around, () => inventory.setFilter('')),
    }),
    ...watching(around, group),
    item({
      id: 'copy link',
      group,
      label: 'Copy a link to what is listed',
      also: 'place scope filter view share muster clipboard',
      run: () =>
        void inventory.acts.copyLink({ to: 'devices', scope: here.path.at(-1)?.id ?? everything, filter: here.filter }),
    }),
    item({
      id: 'everything',
      group,
      label: 'Show all tenants',
      also: 'back to everything scope place estate',
      reason: here.path.length === 0 ? 'All tenants are shown.' : '',
      run: inInventory(around, () => inventory.setPath([])),
    }),
  ]
}

/** The place that is listed, if it is one that can be watched. */
function watching({ inventory, session, app }: PaletteSurroundings, group: string): readonly Item[] {
  const place = inventory.view.get().path.at(-1)
  const { watched } = app.settings
  if (place === undefined || !isWatchable(place.id)) return []
  const on = watched.includes(place.id)
  const turn = () =>
    void session.change({ watched: on ? watched.filter((id) => id !== place.id) : [...watched, place.id] })
  return [
    item({
      id: 'watch place',
      group,
      label: on ? `Take ${isolated(place.name)} off the watch list` : `Put ${isolated(place.name)} on the watch list`,
      also: 'watch mark room site',
      run: turn,
    }),
  ]
}

function withDevices(around: PaletteSurroundings): readonly Item[] {
  const { inventory } = around
  const { acts, selection, cursor, rows } = inventory
  const total = rows.state.get().total ?? 0
  const count = selectedCount(selection.state.get(), total)
  const none = count === 0 && cursor.state.get().key === null ? 'Choose a device first.' : ''
  const hint = count > 0 ? `${many(count, 'device')} selected` : 'the present device'
  const group = 'Devices'
  return [
    item({
      id: 'copy id',
      group,
      label: 'Copy ID',
      also: 'id clipboard',
      hint,
      reason: none,
      run: () => void acts.copy({ what: 'column', column: 'id', word: 'ID' }),
    }),
    ...tellingCopies(inventory.columns.state.get().map(({ id }) => id)).map((what) =>
      item({
        id: `copy ${what.column}`,
        group,
        label: `Copy ${what.word}`,
        also: 'column clipboard',
        hint,
        reason: none,
        run: () => void acts.copy(what),
      }),
    ),
    item({
      id: 'copy rows',
      group,
      label: 'Copy the rows',
      keys: 'Ctrl C',
      also: 'tsv spreadsheet clipboard',
      hint,
      reason: none,
      run: () => void acts.copy({ what: 'rows' }),
    }),
    item({
      id: 'copy json',
      group,
      label: 'Copy as JSON',
      also: 'clipboard',
      hint,
      reason: none,
      run: () => void acts.copy({ what: 'json' }),
    }),
    item({
      id: 'export csv',
      group,
      label: 'Export the table as CSV',
      also: 'download save spreadsheet excel',
      hint: many(total, 'device'),
      run: () => void acts.save('csv', true),
    }),
    item({
      id: 'export json',
      group,
      label: 'Export the table as JSON',
      also: 'download save',
      hint: many(total, 'device'),
      run: () => void acts.save('json', true),
    }),
    item({
      id: 'select all',
      group,
      label: 'Select all devices of the table',
      keys: 'Ctrl A',
      hint: figure(total),
      run: inInventory(around, selection.all),
    }),
    item({
      id: 'deselect',
      group,
      label: 'Clear the selection',
      keys: 'Esc',
      reason: count === 0 ? 'Nothing is selected.' : '',
      run: selection.clear,
    }),
    item({
      id: 'columns',
      group,
      label: 'Choose columns',
      also: 'fields order width further',
      run: inInventory(around, press('columns')),
    }),
    item({
      id: 'reset columns',
      group,
      label: 'Restore default columns',
      also: 'reset width order',
      run: inventory.columns.reset,
    }),
  ]
}

function incidents({ incidents, now, app, onRoom }: PaletteSurroundings): readonly Item[] {
  return incidentItems({ incidents, now, times: app.settings.times, toRoom: () => onRoom('incidents') })
}

function quiet({ desk, inventory, app, onRoom }: PaletteSurroundings): readonly Item[] {
  // A region has neither a zone nor figures.
  const [, ...path] = inventory.view.get().path
  return quietItems({
    desk,
    windows: app.policies.windows.length,
    place: path.at(-1) ?? null,
    room: path.length === 3,
    toSettings: () => onRoom('settings'),
  })
}

function reading({ inventory, onRefresh, app }: PaletteSurroundings): readonly Item[] {
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
            also: 'read anew reload sync',
            reason,
            run: () => onRefresh('place'),
          }),
        ]),
    item({
      id: 'read all',
      group,
      label: 'Sync all tenants…',
      keys: place === undefined ? 'F5' : 'Shift F5',
      also: 'refresh read anew reload everything',
      reason,
      run: () => onRefresh('all'),
    }),
  ]
}

function points({ session, app, onRoom }: PaletteSurroundings): readonly Item[] {
  const group = 'Points'
  const { backgroundPaused, reservePercent, ceilingPercent } = app.settings
  const turn = () => void session.change({ backgroundPaused: !backgroundPaused })
  const kept = `${reservePercent} % reserved, limit ${ceilingPercent} %`
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
      run: turn,
    }),
    item({
      id: 'reserve',
      group,
      label: 'Set reserved points and background limit',
      also: 'points settings reserve ceiling budget kept per cent',
      hint: kept,
      run: () => onRoom('settings', 'points'),
    }),
  ]
}

function views(around: PaletteSurroundings): readonly Item[] {
  const group = 'Saved views'
  const open = around.app.views.map((view) =>
    item({
      id: `view ${view.id}`,
      group,
      label: view.name,
      hint: view.query.filter,
      also: 'view saved open',
      run: inInventory(around, () => void around.inventory.openView(view)),
    }),
  )
  return [
    ...open,
    item({
      id: 'save view',
      group,
      label: 'Save what is shown as a view',
      also: 'bookmark',
      run: inInventory(around, press('save-view')),
    }),
  ]
}

function rooms({ onRoom, onHelp, onAdd }: PaletteSurroundings): readonly Item[] {
  const group = 'Go to'
  return [
    item({ id: 'room inventory', group, label: 'Inventory', also: 'room devices', run: () => onRoom('inventory') }),
    item({
      id: 'room incidents',
      group,
      label: 'Incidents',
      also: 'room alerts outages open acknowledged closed',
      run: () => onRoom('incidents'),
    }),
    item({
      id: 'room connections',
      group,
      label: 'Connections',
      also: 'room customers services',
      run: () => onRoom('connections'),
    }),
    item({
      id: 'room diagnostics',
      group,
      label: 'Diagnostics',
      also: 'room versions memory start times sockets log performance',
      run: () => onRoom('diagnostics'),
    }),
    item({
      id: 'support bundle',
      group,
      label: 'Make a support bundle',
      also: 'zip help log report diagnostics',
      run: () => {
        onRoom('diagnostics')
        afterFrames(enter('support-bundle'))
      },
    }),
    item({
      id: 'room settings',
      group,
      label: 'Settings',
      also: 'room preferences options',
      run: () => onRoom('settings'),
    }),
    item({
      id: 'notifications',
      group,
      label: 'Open notifications',
      keys: 'F8',
      also: 'bell alerts told messages',
      run: press('notifications'),
    }),
    item({ id: 'add connection', group, label: 'Add a connection', also: 'new customer service', run: onAdd }),
    item({ id: 'keys', group, label: 'List of keys', keys: '?', also: 'help shortcuts', run: onHelp }),
  ]
}

function telling({ session, app }: PaletteSurroundings): readonly Item[] {
  const group = 'Notifications'
  const paused = app.tellings.pausedUntil !== null
  const pause = (minutes: number) => () => void session.pipe.call('tellings.pause', { minutes })
  const resume = item({
    id: 'resume',
    group,
    label: 'Resume notifications',
    also: 'unmute unpause alerts tell again',
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

function updating({
  session,
  app: {
    updates: { now },
  },
  onRoom,
}: PaletteSurroundings): readonly Item[] {
  const group = 'Updates'
  const acts = updateActs(now)
  const offered = (['check', 'download', 'apply'] as const).filter((act) => act === 'check' || acts.includes(act))
  return offered.map((act) =>
    item({
      id: `updates ${act}`,
      group,
      label: act === 'download' ? 'Download the update' : actWords[act],
      also: 'updates install new version upgrade',
      hint: updateLine(now),
      reason: acts.includes(act) ? '' : now.is === 'off' ? offWords(now) : 'It is under way.',
      run: () => {
        void session.pipe.call(`updates.${act}`, {})
        onRoom('settings', 'updates')
      },
    }),
  )
}

function looks({ session, app }: PaletteSurroundings): readonly Item[] {
  const { theme, density, times } = app.settings
  const group = 'Look'
  const themes = (['dark', 'light', 'system'] as const).filter((each) => each !== theme)
  return [
    ...themes.map((each) =>
      item({
        id: `theme ${each}`,
        group,
        label: each === 'system' ? 'Follow the system’s colours' : `Show it ${each}`,
        also: 'theme colours mode',
        run: () => void session.change({ theme: each }),
      }),
    ),
    item({
      id: 'density',
      group,
      label: density === 'compact' ? 'More room between the rows' : 'Less room between the rows',
      also: 'density compact comfortable',
      run: () => void session.change({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    }),
    item({
      id: 'times',
      group,
      label: times === 'local' ? 'Show times in UTC' : 'Show times in local time',
      also: 'clock zone',
      run: () => void session.change({ times: times === 'local' ? 'utc' : 'local' }),
    }),
  ]
}
