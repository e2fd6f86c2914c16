import { Group, rowOf, type Parts } from '../fields/fields.tsx'
import { NumberSetting, SettingRow, SettingSwitch } from '../fields/rows.tsx'
import { groupOf } from '../use-section.ts'

/** The use of each credential set's points. */
export function Points(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  return (
    <Group name="Points" id={groupOf('points')} shared>
      <NumberSetting
        name="Reserved points"
        description="This share of each minute’s points is left for your own actions; background syncs wait instead, until the last seconds before the reset. From 0 to 50 per cent."
        unit="per cent"
        min={0}
        max={50}
        value={settings.reservePercent}
        onValue={(reservePercent) => change({ reservePercent })}
        {...rowOf(parts, 'reservePercent', `${defaults.reservePercent} per cent`)}
      />
      <NumberSetting
        name="Background limit"
        description="Background work uses at most this share of each minute’s points; your own actions do not count. Lower it where other programs use the same client ID. From 10 to 100 per cent."
        unit="per cent"
        min={10}
        max={100}
        value={settings.backgroundLimitPercent}
        onValue={(backgroundLimitPercent) => change({ backgroundLimitPercent })}
        {...rowOf(parts, 'backgroundLimitPercent', `${defaults.backgroundLimitPercent} per cent`)}
      />
      <SettingRow
        name="Pause background work"
        description="Syncs wait until you resume them; the live stream and your own actions go on."
        {...rowOf(parts, 'backgroundPaused', defaults.backgroundPaused ? 'on' : 'off')}
      >
        <SettingSwitch
          label="Pause background work"
          on={settings.backgroundPaused}
          disabled={coreLost}
          onChange={(backgroundPaused) => change({ backgroundPaused })}
        />
      </SettingRow>
    </Group>
  )
}
