import { Button } from 'react-aria-components'
import { wallPages, type WallPage } from '../../../src-shared/model/wall.ts'
import type { AppState } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { showWall } from '../../wall/shown-wall.ts'
import { Group, rowOf, type Parts } from '../fields/fields.tsx'
import { NumberSetting, SettingRow } from '../fields/rows.tsx'

const pageLabels: Record<WallPage, string> = { map: 'Map and incidents', incidents: 'Incidents', tenants: 'Tenants' }

const pagesWith = (pages: readonly WallPage[], page: WallPage, on: boolean): WallPage[] =>
  wallPages.filter((each) => (each === page ? on : pages.includes(each)))

/** The settings of the wall display. */
export function WallDisplay({ views, ...parts }: Parts & Pick<AppState, 'views'>) {
  const { session } = useAppContext()
  const { settings, defaults, change } = parts
  return (
    <Group name="Wall display">
      <Pages {...parts} />
      <NumberSetting
        name="Time of a page"
        description="From 5 to 3,600 seconds."
        unit="seconds"
        min={5}
        max={3600}
        value={settings.wallSeconds}
        onValue={(wallSeconds) => change({ wallSeconds })}
        {...rowOf(parts, 'wallSeconds', `${defaults.wallSeconds} seconds`)}
      />
      <Devices {...parts} views={views} />
      <Dimming {...parts} />
      <div className="setting">
        <div className="setting-text">
          <h3>Full screen</h3>
          <p>F11 opens the wall display and Esc leaves it. Muster opens with it when it is started with --wall.</p>
        </div>
        <div className="setting-control">
          <Button className="button" onPress={() => showWall(session)}>
            Open the wall display
          </Button>
        </div>
      </div>
    </Group>
  )
}

function Pages(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  const pagesText = defaults.wallPages.map((page) => pageLabels[page]).join(', ')
  return (
    <SettingRow
      name="Pages"
      description="Shown in turn. The page of incidents is left out while there are none."
      {...rowOf(parts, 'wallPages', pagesText)}
    >
      <span className="setting-checks" role="group" aria-label="Pages">
        {wallPages.map((page) => (
          <label key={page} className="check">
            <input
              type="checkbox"
              checked={settings.wallPages.includes(page)}
              // One page stays.
              disabled={coreLost || (settings.wallPages.length === 1 && settings.wallPages.includes(page))}
              onChange={({ target }) => change({ wallPages: pagesWith(settings.wallPages, page, target.checked) })}
            />
            <span>{pageLabels[page]}</span>
          </label>
        ))}
      </span>
    </SettingRow>
  )
}

function Devices({ views, ...parts }: Parts & Pick<AppState, 'views'>) {
  const { settings, coreLost, change } = parts
  const isGone = settings.wallView !== null && !views.some(({ id }) => id === settings.wallView)
  return (
    <SettingRow
      name="Devices"
      description="All devices, or those of a saved view: their numbers, tiles and incidents."
      {...rowOf(parts, 'wallView', 'all devices')}
    >
      <select
        className="input"
        aria-label="Devices of the wall display"
        value={settings.wallView ?? ''}
        disabled={coreLost}
        onChange={({ target }) => change({ wallView: target.value === '' ? null : target.value })}
      >
        <option value="">All devices</option>
        {isGone && <option value={settings.wallView ?? ''}>A view that is gone: all devices</option>}
        {views.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </SettingRow>
  )
}

function Dimming(parts: Parts) {
  const { settings, defaults, change } = parts
  const hour = { unit: 'h', min: 0, max: 23 }
  return (
    <>
      <NumberSetting
        name="Dimming"
        description="By how much the display is darker in the dimmed hours, 0 for never. From 0 to 90 per cent."
        unit="per cent"
        min={0}
        max={90}
        value={settings.wallDimPercent}
        onValue={(wallDimPercent) => change({ wallDimPercent })}
        {...rowOf(parts, 'wallDimPercent', 'never')}
      />
      <NumberSetting
        name="Dimmed from"
        description="The hour of the day, from 0 to 23, in the zone of the times."
        {...hour}
        value={settings.wallDimFrom}
        onValue={(wallDimFrom) => change({ wallDimFrom })}
        {...rowOf(parts, 'wallDimFrom', `${defaults.wallDimFrom} h`)}
      />
      <NumberSetting
        name="Dimmed until"
        description="The hour of the day, from 0 to 23."
        {...hour}
        value={settings.wallDimUntil}
        onValue={(wallDimUntil) => change({ wallDimUntil })}
        {...rowOf(parts, 'wallDimUntil', `${defaults.wallDimUntil} h`)}
      />
    </>
  )
}
