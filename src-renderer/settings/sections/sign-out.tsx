import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Group } from '../fields/fields.tsx'

/** Signs out all browser windows. This one is signed out with the answer. */
export function SignOut({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const signOut = async () => {
    const answer = await session.pipe.call('windows.signOut', {})
    // The pipe may close before the answer arrives.
    setFault(answer.ok || answer.fault.kind === 'stopped' ? null : answer.fault)
  }
  return (
    <Group name="Sign-in">
      <div className="setting">
        <div className="setting-text">
          <h3>Browser tabs</h3>
          <p>
            Each tab signs in by itself, with a key that it keeps until it is closed. Signing out everywhere ends all of
            them, this one too, and addresses that were not opened yet; Muster keeps monitoring.
          </p>
          <FaultNote fault={fault} />
        </div>
        <div className="setting-control">
          <Button className="button" isDisabled={coreLost} onPress={() => void signOut()}>
            Sign out everywhere
          </Button>
        </div>
      </div>
    </Group>
  )
}
