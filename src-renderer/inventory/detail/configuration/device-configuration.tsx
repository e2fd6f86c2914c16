import '../../../styles/configuration.css'
import { useAppContext } from '../../../lib/context.ts'
import { useCall } from '../../../lib/hooks/use-call.ts'
import { CallsPart } from './calls-part.tsx'
import { ChartPart } from './chart-part.tsx'
import { SettingsPart } from './settings-part.tsx'

/**
 * Settings, calls and charts of a device, where its service offers them. Nothing is read before a press, and nothing is kept when
 * the detail is left.
 */
export function DeviceConfiguration({ device, coreLost }: { device: string; coreLost: boolean }) {
  const { session } = useAppContext()
  const answer = useCall(device, async () => await session.pipe.call('configuration.offered', { device })).value
  // No running connection lists the device: the section "Connection" says so.
  if (answer === null || !answer.ok) return null
  const { settings, calls, chart } = answer.value
  const shared = { device, coreLost }
  return (
    <>
      {settings.offered !== false && <SettingsPart {...shared} {...settings} />}
      {calls.offered !== false && <CallsPart {...shared} {...calls} />}
      {chart.offered !== false && <ChartPart {...shared} {...chart} />}
    </>
  )
}
