import { CircleHelp } from 'lucide-react'
import { Button } from 'react-aria-components'
import icon from '../../../assets/icon.svg'
import { LockButton } from '../../actions/lock/lock-button.tsx'
import type { Inventory } from '../../inventory/inventory.ts'
import type { AppState } from '../../lib/session.ts'
import { NotificationsBell } from '../../notifications/bell.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { RefreshMenu } from './refresh-menu.tsx'
import { useOther } from '../use-other.ts'
import type { Refresh } from './use-refresh.ts'

export function Header({
  app,
  inventory,
  coreLost,
  refresh,
  onKeys,
}: {
  app: AppState
  inventory: Inventory
  coreLost: boolean
  refresh: Refresh
  onKeys: () => void
}) {
  return (
    <header className="header">
      <img src={icon} width="20" height="20" alt="" />
      <span className="brand">Muster</span>
      {app.demo && (
        <span className="demo">
          <strong>DEMO</strong>
          <span className="demo-text"> This fleet is made up. It runs on this machine only.</span>
        </span>
      )}
      {app.demo && app.can.startOther && <OwnService />}
      <span className="spring" />
      {app.connections.length > 0 && <LockButton coreLost={coreLost} />}
      {app.connections.length > 0 && <RefreshMenu inventory={inventory} disabled={coreLost} refresh={refresh} />}
      <NotificationsBell notifications={app.notifications} coreLost={coreLost} />
      <IconButton label="List of keys (?)" onPress={onKeys}>
        <CircleHelp size={16} aria-hidden />
      </IconButton>
    </header>
  )
}

/** Opens a second Muster with its own profile, from the demo. */
function OwnService() {
  const { started, fault, start } = useOther()
  return (
    <>
      <Button className="button subtle" isDisabled={started} onPress={() => start('connection')}>
        {started ? 'Muster opens…' : 'Connect your service'}
      </Button>
      <FaultNote fault={fault} />
    </>
  )
}
