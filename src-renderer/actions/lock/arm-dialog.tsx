import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { armedIdleMs, armedMs } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { among } from '../offers.ts'

const minutes = (ms: number) => many(ms / 60_000, 'minute')

/** Asks before tenants are armed: which, for how long, and what ends it. */
export function ArmDialog({
  tenants,
  coreLost,
  onDone,
}: {
  tenants: readonly string[]
  coreLost: boolean
  onDone: () => void
}) {
  const { deviceActions } = useAppContext()
  const state = useStore(deviceActions.state)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const time = minutes(state?.lockEvents === false ? armedIdleMs : armedMs)
  const names = state === null ? [] : among(state, tenants).map(({ name }) => name)
  async function arm() {
    setBusy(true)
    const failure = await deviceActions.arm(tenants)
    setBusy(false)
    if (failure === null) onDone()
    else setFault(failure)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal">
        <Dialog className="dialog arm-dialog" role="alertdialog">
          <Heading slot="title">
            Arm {names.length === 1 ? <Isolated>{names[0]}</Isolated> : many(tenants.length, 'tenant')}?
          </Heading>
          {names.length > 1 && <NameList names={names} />}
          <p>
            For {time}, {tenants.length === 1 ? 'its' : 'their'} devices can be rebooted, renamed and moved from every
            window of this Muster, and mutations that you write can be sent. Each action extends the time. Every action
            still asks before it starts.
          </p>
          <p>
            It ends when you lock it, when the computer sleeps
            {state?.lockEvents === false ? '' : ' or its screen is locked'}, and when the connection changes.
          </p>
          <FaultNote fault={fault} />
          <div className="dialog-actions">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus onPress={onDone}>
              Stay read-only
            </Button>
            <Button className="button armed" isDisabled={busy || coreLost} onPress={() => void arm()}>
              Arm for {time}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The most names that are listed. */
const listed = 8

function NameList({ names }: { names: readonly string[] }) {
  return (
    <ul className="subjects">
      {names.slice(0, listed).map((name) => (
        <li key={name}>
          <Isolated>{name}</Isolated>
        </li>
      ))}
      {names.length > listed && <li className="muted-text">and {many(names.length - listed, 'more', 'more')}</li>}
    </ul>
  )
}
