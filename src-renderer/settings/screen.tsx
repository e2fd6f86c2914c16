import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import { defaultSettings, type Settings } from '../../src-shared/model/settings.ts'
import { isTeamSetting } from '../../src-shared/model/team-settings.ts'
import type { SettingsSection } from '../../src-shared/navigation/screens.ts'
import { ChannelsSection } from '../channels/section.tsx'
import { PoliciesSection } from '../policies/section.tsx'
import type { AppState } from '../lib/session.ts'
import { useAppContext } from '../lib/context.ts'
import { TeamSection } from '../team/section.tsx'
import { SharedMark } from '../team/shared-mark.tsx'
import { useInTeam } from '../team/use-in-team.ts'
import { NotificationPermission } from '../notifications/permission.tsx'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { zone } from '../lib/format/time.ts'
import { useSection } from './use-section.ts'
import { NetworkSettings } from './sections/network.tsx'
import { Group, isDefault, ownSettings, rowOf, type Parts } from './fields/fields.tsx'
import { ActionSettings } from './sections/actions.tsx'
import { FirstScreen } from './sections/first-screen.tsx'
import { IncidentSettings } from './sections/incidents.tsx'
import { SignOut } from './sections/sign-out.tsx'
import { StorageSettings } from './sections/storage.tsx'
import { Points } from './sections/points.tsx'
import { NumberSetting, SettingRow, SettingSwitch } from './fields/rows.tsx'
import { SectionList } from './section-list.tsx'
import { WallDisplay } from './sections/wall.tsx'
import { UpdateSettings } from './sections/updates.tsx'

const themes = [
  { value: 'system', word: 'System' },
  { value: 'dark', word: 'Dark' },
  { value: 'light', word: 'Light' },
] as const
const densities = [
  { value: 'compact', word: 'Compact' },
  { value: 'comfortable', word: 'Comfortable' },
] as const

/** The sections, in order. */
const sections = [
  'Appearance',
  'Sync',
  'Points',
  'Actions',
  'Incidents',
  'Maintenance windows',
  'Notifications',
  'Channels',
  'Team',
  'Wall display',
  'Desktop application',
  'Network',
  'Updates',
  'Sign-in',
  'Storage',
] as const
const onDesktop = sections.filter((name) => name !== 'Sign-in')
const inBrowser = sections.filter((name) => name !== 'Desktop application')

interface ScreenSettingsProps {
  app: AppState
  coreLost: boolean
  /** The section to scroll to, until `onArrived` is called. */
  part: SettingsSection | null
  onArrived: () => void
  onDiagnostics: () => void
}

export function SettingsScreen({ app, coreLost, part, onArrived, onDiagnostics }: ScreenSettingsProps) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const head = useRef<HTMLHeadingElement>(null)
  useSection(part, onArrived)
  const inTeam = useInTeam()
  const defaults = defaultSettings(app.demo)
  const changed = ownSettings(defaults)
    .filter((name) => name !== 'startAtLogin' || app.can.startAtLogin)
    // Those of a team are changed one by one: they concern everybody.
    .filter((name) => !(inTeam && isTeamSetting(name)) && !isDefault(app.settings, defaults, name))
  const change = async (part: Partial<Settings>) => {
    const answer = await session.change(part)
    setFault(answer.ok ? null : answer.fault)
  }
  // The button has no use afterwards, so the focus moves to the heading.
  const reset = () => {
    head.current?.focus()
    void change(Object.fromEntries(changed.map((name) => [name, defaults[name]])))
  }
  const parts: Parts = { settings: app.settings, defaults, coreLost, change: (part) => void change(part) }
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <div className="screen settings-screen" id="settings" tabIndex={-1} ref={scroller}>
      <div className="screen-head settings-head">
        <h1 ref={head} tabIndex={-1}>
          Settings
        </h1>
        <span className="spring" />
        <Button className="button" isDisabled={coreLost || changed.length === 0} onPress={reset}>
          Restore defaults
        </Button>
      </div>
      <SectionList names={app.shell === 'electron' ? onDesktop : inBrowser} scroller={scroller} />
      <div className="settings">
        <FaultNote fault={fault} />
        {coreLost && <p className="screen-note">Muster’s core is not running: nothing can be changed until it is.</p>}
        <Appearance {...parts} />
        <Reading {...parts} />
        <Points {...parts} />
        <ActionSettings {...parts} />
        <IncidentSettings {...parts} demo={app.demo} />
        <PoliciesSection coreLost={coreLost} />
        <NotificationSettings {...parts} />
        <ChannelsSection coreLost={coreLost} />
        <TeamSection keychain={app.keychain} coreLost={coreLost} />
        <WallDisplay {...parts} views={app.views} />
        {app.shell === 'electron' && <DesktopApplication {...parts} can={app.can} />}
        <NetworkSettings proxies={app.proxies} shell={app.shell} coreLost={coreLost} />
        <UpdateSettings {...parts} updates={app.updates} version={app.version} />
        {app.can.signOut && <SignOut coreLost={coreLost} />}
        <StorageSettings app={app} onDiagnostics={onDiagnostics} />
      </div>
    </div>
  )
}

function Appearance(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  const local = useTickedText((now) => zone(now, 'local'))
  const times = [
    { value: 'local', word: local === 'UTC' ? 'Local (UTC)' : 'Local' },
    { value: 'utc', word: 'UTC' },
  ] as const
  const labelOf = (options: readonly { value: string; word: string }[], value: string) =>
    options.find((each) => each.value === value)?.word ?? value
  return (
    <Group name="Appearance">
      <SettingRow
        name="Theme"
        description="Dark or light; System follows the operating system."
        {...rowOf(parts, 'theme', labelOf(themes, defaults.theme))}
      >
        <Choice
          label="Theme"
          value={settings.theme}
          options={themes}
          disabled={coreLost}
          onChange={(theme) => change({ theme })}
        />
      </SettingRow>
      <SettingRow
        name="Density"
        description="Row height of the device table."
        {...rowOf(parts, 'density', labelOf(densities, defaults.density))}
      >
        <Choice
          label="Density"
          value={settings.density}
          options={densities}
          disabled={coreLost}
          onChange={(density) => change({ density })}
        />
      </SettingRow>
      <SettingRow
        name="Times"
        description={`Time zone of all times; local is ${local}. The status bar names the zone, tooltips show both.`}
        {...rowOf(parts, 'times', labelOf(times, defaults.times))}
      >
        <Choice
          label="Times"
          value={settings.times}
          options={times}
          disabled={coreLost}
          onChange={(value) => change({ times: value })}
        />
      </SettingRow>
      <FirstScreen {...parts} />
    </Group>
  )
}

function Reading(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  return (
    <Group name="Sync" shared>
      <NumberSetting
        name="Full sync every"
        description="The live stream reports disconnects and recoveries at once; new, moved and removed devices are found by a full sync. From 5 to 1,440 minutes."
        unit="minutes"
        min={5}
        max={1440}
        value={settings.fullSyncMinutes}
        onValue={(fullSyncMinutes) => change({ fullSyncMinutes })}
        {...rowOf(parts, 'fullSyncMinutes', `${defaults.fullSyncMinutes} minutes`)}
      />
      <SettingRow
        name="People counts of rooms"
        description="The overview then shows which rooms are in use, where a service streams people counts. One subscription for each tenant."
        {...rowOf(parts, 'occupancy', defaults.occupancy ? 'on' : 'off')}
      >
        <SettingSwitch
          label="People counts of rooms"
          on={settings.occupancy}
          disabled={coreLost}
          onChange={(occupancy) => change({ occupancy })}
        />
      </SettingRow>
    </Group>
  )
}

export function NotificationSettings(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  const on = (name: 'notifyOffline' | 'notifyRecovered' | 'notifyMonitoringLost') =>
    rowOf(parts, name, defaults[name] ? 'on' : 'off')
  return (
    <Group name="Notifications">
      {/* The permission is this computer's alone: the mark stands below it, over what the team has in common. */}
      <div className="setting">
        <div className="setting-text">
          <h3>On the desktop</h3>
          <NotificationPermission />
        </div>
      </div>
      <SharedMark className="settings-shared" />
      <SettingRow
        name="Devices that go offline"
        description="Several at one place make one notification."
        {...on('notifyOffline')}
      >
        <SettingSwitch
          label="Devices that go offline"
          on={settings.notifyOffline}
          disabled={coreLost}
          onChange={(notifyOffline) => change({ notifyOffline })}
        />
      </SettingRow>
      <SettingRow
        name="Devices that come back"
        description="Only those whose disconnect was notified."
        {...on('notifyRecovered')}
      >
        <SettingSwitch
          label="Devices that come back"
          on={settings.notifyRecovered}
          disabled={coreLost}
          onChange={(notifyRecovered) => change({ notifyRecovered })}
        />
      </SettingRow>
      <SettingRow
        name="Monitoring lost"
        description="A connection stops or resumes monitoring its devices."
        {...on('notifyMonitoringLost')}
      >
        <SettingSwitch
          label="Monitoring lost"
          on={settings.notifyMonitoringLost}
          disabled={coreLost}
          onChange={(notifyMonitoringLost) => change({ notifyMonitoringLost })}
        />
      </SettingRow>
    </Group>
  )
}

function DesktopApplication({ can, ...parts }: Parts & Pick<AppState, 'can'>) {
  const { settings, defaults, coreLost, change } = parts
  return (
    <Group name="Desktop application">
      <SettingRow
        name="Close to the tray"
        description="Closing the window leaves Muster running in the tray, where it keeps monitoring and notifying."
        {...rowOf(parts, 'closeToTray', defaults.closeToTray ? 'on' : 'off')}
      >
        <SettingSwitch
          label="Close to the tray"
          on={settings.closeToTray}
          disabled={coreLost}
          onChange={(closeToTray) => change({ closeToTray })}
        />
      </SettingRow>
      {can.startAtLogin && (
        <SettingRow
          name="Start at login"
          description="The system starts Muster when you log in. It stays out of the way: in the tray, or minimised where your desktop may show no tray."
          {...rowOf(parts, 'startAtLogin', defaults.startAtLogin ? 'on' : 'off')}
        >
          <SettingSwitch
            label="Start at login"
            on={settings.startAtLogin}
            disabled={coreLost}
            onChange={(startAtLogin) => change({ startAtLogin })}
          />
        </SettingRow>
      )}
    </Group>
  )
}
