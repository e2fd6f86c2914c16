import { Zap } from 'lucide-react'
import { Button, Menu, MenuTrigger, Popover } from 'react-aria-components'
import type { Subject } from '../device-actions.ts'
import { DeviceActionItems } from './menu.tsx'

/** A button with the actions on devices, for a bar of buttons. */
export function ActionMenu({
  subject,
  disabled,
  placement,
}: {
  subject: Subject | null
  disabled: boolean
  placement: 'top start' | 'bottom start'
}) {
  return (
    <MenuTrigger>
      <Button className="button" isDisabled={disabled}>
        <Zap size={14} aria-hidden />
        Actions
      </Button>
      <Popover className="popover" placement={placement}>
        <Menu className="menu" aria-label="Actions">
          <DeviceActionItems subject={subject} />
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
