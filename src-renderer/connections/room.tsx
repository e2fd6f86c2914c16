import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { explain, type Fault } from '../../src-shared/fault.ts'
import type { ConnectionState } from '../../src-shared/model.ts'
import type { AppState } from '../session.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { ConnectionCard } from './card.tsx'
import { ConnectionDialog } from './form.tsx'

/** What the form is open for: nothing, a new connection (`id: null`), or one that is there. */
export type Editing = null | { id: string | null }

interface Props {
  app: AppState
  editing: Editing
  onEdit: (editing: Editing) => void
}

export function ConnectionsRoom({ app, editing, onEdit }: Props) {
  const { session } = useSurroundings()
  const blind = useStore(session.state, ({ reach }) => reach.state === 'lost')
  const [removing, setRemoving] = useState<string | null>(null)
  const { connections, keychain } = app
  const edited = connections.find(({ id }) => id === editing?.id) ?? null
  const removed = connections.find(({ id }) => id === removing) ?? null
  return (
    <div className="room">
      <div className="room-head">
        <h1>Connections</h1>
        {!app.demo && <Button className="button primary" isDisabled={blind} onPress={() => onEdit({ id: null })}><Plus size={15} aria-hidden />Add a connection</Button>}
      </div>
      {app.demo && <p className="room-note">The demo has one connection, which Muster makes anew at each start. To connect to your own service, start Muster with <code>--no-demo</code>.</p>}
      {connections.length === 0 && <p className="room-note">There is no connection yet. A connection is three addresses and a client id with its secret.</p>}
      <ul className="cards" aria-label="Connections">
        {connections.map((connection) => (
          <ConnectionCard
            key={connection.id} connection={connection} keychain={keychain} blind={blind}
            onEdit={() => onEdit({ id: connection.id })} onRemove={() => setRemoving(connection.id)}
          />
        ))}
      </ul>
      {editing !== null && (editing.id === null || edited !== null) && <ConnectionDialog key={editing.id} connection={edited} keychain={keychain} onDone={() => onEdit(null)} />}
      {removed !== null && <RemoveDialog connection={removed} onDone={() => setRemoving(null)} />}
    </div>
  )
}

function RemoveDialog({ connection, onDone }: { connection: ConnectionState; onDone: () => void }) {
  const { session } = useSurroundings()
  const [fault, setFault] = useState<Fault | null>(null)
  async function remove() {
    const answer = await session.pipe.call('connections.remove', { id: connection.id })
    if (answer.ok) onDone()
    else setFault(answer.fault)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">Remove <bdi>{connection.name}</bdi>?</Heading>
          <p>This wipes from this computer: the connection, its client secret, the devices that only it sees, and their history of transitions. Nothing changes on the service.</p>
          <p>The history cannot be fetched again.</p>
          {fault !== null && <p className="form-fault" role="alert"><strong>{explain(fault).title}</strong> {explain(fault).advice}</p>}
          <div className="dialog-acts">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
            <Button className="button" autoFocus onPress={onDone}>Keep it</Button>
            <Button className="button danger" onPress={() => void remove()}>Remove and wipe</Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
