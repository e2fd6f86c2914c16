import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useAppContext } from '../../context.ts'
import { afterFrames, isFocusLost } from '../focus.ts'

/** A button that lets the system ask for the keychain's password. */
export function UnlockButton() {
  const { session } = useAppContext()
  const [asking, setAsking] = useState(false)
  const unlock = async () => {
    setAsking(true)
    await session.pipe.call('keychain.unlock', {})
    setAsking(false)
    // The button may have disappeared after use.
    afterFrames(() => {
      if (isFocusLost()) document.getElementById('main')?.focus()
    })
  }
  return (
    <Button className="button" isDisabled={asking} onPress={() => void unlock()}>
      {asking ? 'Asking' : 'Unlock'}
    </Button>
  )
}
