import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { Group, rowOf, type Parts } from '../fields/fields.tsx'
import { FixedSetting, SettingRow, SettingSwitch } from '../fields/rows.tsx'

const description =
  'Devices can be rebooted, renamed and moved, and sites and rooms edited, in tenants that you arm. Off: Muster only reads, for good.'

/** Whether actions can be taken at all. */
export function ActionSettings(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  const { deviceActions } = useAppContext()
  const off = useStore(deviceActions.state, (state) => state?.off)
  return (
    <Group name="Actions">
      {off === 'managed' ? (
        <FixedSetting name="Actions on devices" description={description} value="off" />
      ) : (
        <SettingRow
          name="Actions on devices"
          description={description}
          {...rowOf(parts, 'actions', defaults.actions ? 'on' : 'off')}
        >
          <SettingSwitch
            label="Actions on devices"
            on={settings.actions}
            disabled={coreLost}
            onChange={(actions) => change({ actions })}
          />
        </SettingRow>
      )}
    </Group>
  )
}
