import { Group, rowOf, type Parts } from './parts.tsx'
import { NumberSetting, SettingRow, SettingSwitch } from './rows.tsx'
import { groupOf } from './arriving.ts'

/** How Muster spends the points of each credential set. */
export function Points(parts: Parts) {
  const { settings, usual, blind, change } = parts
  return (
    <Group name="Points" id={groupOf('points')}>
      <NumberSetting
        name="Points kept for you" does="This share of each minute’s points is left for what you do yourself; reading in the background waits instead, until the last seconds. From 0 to 50 per cent."
        unit="per cent" min={0} max={50} value={settings.reservePercent} onValue={(reservePercent) => change({ reservePercent })} {...rowOf(parts, 'reservePercent', `${usual.reservePercent} per cent`)}
      />
      <NumberSetting
        name="Ceiling" does="Muster uses at most this share of each minute’s points by itself; what you do yourself does not count. Lower it where other programs use the same client id. From 10 to 100 per cent."
        unit="per cent" min={10} max={100} value={settings.ceilingPercent} onValue={(ceilingPercent) => change({ ceilingPercent })} {...rowOf(parts, 'ceilingPercent', `${usual.ceilingPercent} per cent`)}
      />
      <SettingRow name="Pause background work" does="Readings wait until you let them go on; what is live stays live, and what you do yourself is done." {...rowOf(parts, 'backgroundPaused', usual.backgroundPaused ? 'on' : 'off')}>
        <SettingSwitch label="Pause background work" on={settings.backgroundPaused} disabled={blind} onChange={(backgroundPaused) => change({ backgroundPaused })} />
      </SettingRow>
    </Group>
  )
}
