import { RotateCcw } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { DeviceStatus } from '../../../src-shared/model/inventory.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { jobTitle, rebootText } from '../format.ts'
import { jobsStamp } from './stamp.ts'

/** The reboot that is under way on a device, with its action; nothing without one. */
export function DeviceReboot({ device, status }: { device: string; status: DeviceStatus }) {
  const { session, deviceActions } = useAppContext()
  const { times } = useSettings()
  const stamp = useStore(deviceActions.state, jobsStamp)
  const { value } = useCall(`${device}\n${stamp}`, () => session.pipe.call('actions.expected', { device }))
  const reboot = value?.ok === true ? value.value.reboot : null
  const job = useStore(deviceActions.state, (state) => state?.jobs.find(({ id }) => id === reboot?.job))
  const words = useTickedText((now) => (reboot === null ? '' : rebootText(reboot, status, now, times)))
  if (value?.ok === false) return <FaultNote fault={value.fault} />
  if (reboot === null || words === '') return null
  return (
    <p className="reboot-note">
      <RotateCcw size={13} aria-hidden />
      <span>
        {words}{' '}
        <Button className="link-text" onPress={() => deviceActions.show(reboot.job)}>
          {job === undefined ? 'Show the action' : jobTitle(job)}
        </Button>
      </span>
    </p>
  )
}
