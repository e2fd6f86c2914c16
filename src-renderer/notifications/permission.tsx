import { Button } from 'react-aria-components'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { permissionText } from './format.ts'

/** The permission for desktop notifications, with a button that asks for it. */
export function NotificationPermission() {
  const { notifier } = useAppContext()
  const permission = useStore(notifier.permission)
  return (
    <>
      <p className="hint">{permissionText[permission]}</p>
      {permission === 'default' && (
        <Button className="button" onPress={() => void notifier.ask()}>
          Show them on the desktop
        </Button>
      )}
    </>
  )
}
