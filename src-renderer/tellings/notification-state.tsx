import { Button } from 'react-aria-components'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { permissionWords } from './words.ts'

/** Whether the desktop shows what Muster tells, and the way to let it. */
export function NotificationState() {
  const { notifier } = useSurroundings()
  const permission = useStore(notifier.permission)
  return (
    <>
      <p className="hint">{permissionWords[permission]}</p>
      {permission === 'default' && (
        <Button className="button" onPress={() => void notifier.ask()}>
          Show them on the desktop
        </Button>
      )}
    </>
  )
}
