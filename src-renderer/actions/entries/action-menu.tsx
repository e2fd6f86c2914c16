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
  /** Returns the devices when the menu opens; null for none. */
  subject: () => Subject | null
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
        <Items subject={subject} />
      </Popover>
    </MenuTrigger>
  )
}

function Items({ subject }: { subject: () => Subject | null }) {
  return (
    <Menu className="menu" aria-label="Actions">
      <DeviceActionItems subject={subject()} />
    </Menu>
  )
}
