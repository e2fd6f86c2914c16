import { useEffect, useState } from 'react'
import { ConnectionsRoom, type Editing } from '../connections/room.tsx'
import type { Inventory } from '../inventory/inventory.ts'
import { InventoryRoom } from '../inventory/room.tsx'
import type { AppState } from '../session.ts'
import { StatusBar } from '../status/bar.tsx'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { titleWords } from '../words/device.ts'
import { Banner } from './banner.tsx'
import { Header } from './header.tsx'
import { useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Notices } from './notices.tsx'
import { Rail, type Room } from './rail.tsx'
import { NotReached, Welcome } from './welcome.tsx'

export function App({ inventory }: { inventory: Inventory }) {
  const { session } = useSurroundings()
  const { app, reach } = useStore(session.state)
  if (app === null) return <NotReached />
  return <Console inventory={inventory} app={app} blind={reach.state === 'lost'} />
}

interface Props {
  inventory: Inventory
  app: AppState
  blind: boolean
}

function Console({ inventory, app, blind }: Props) {
  const [room, setRoom] = useState<Room>('inventory')
  const [editing, setEditing] = useState<Editing>(null)
  const [keysOpen, setKeysOpen] = useState(false)
  useKeys({ onHelp: () => setKeysOpen(true) })
  useTitle(app, blind)
  const edit = (next: Editing) => {
    setRoom('connections')
    setEditing(next)
  }
  const empty = app.connections.length === 0
  return (
    <div className="window">
      <a className="skip" href="#main">Skip to the content</a>
      <Header app={app} blind={blind} onKeys={() => setKeysOpen(true)} />
      <div className="bars">
        <Banner app={app} quiet={room === 'connections'} onEdit={(id) => edit({ id })} />
        <Notices notices={app.notices} />
      </div>
      <Rail room={room} onRoom={setRoom} />
      <main id="main" tabIndex={-1}>
        {room === 'inventory' && !empty && <InventoryRoom inventory={inventory} blind={blind} />}
        {room === 'inventory' && empty && <Welcome onAdd={() => edit({ id: null })} />}
        {room === 'connections' && <ConnectionsRoom app={app} editing={editing} onEdit={setEditing} />}
      </main>
      <StatusBar app={app} blind={blind} onConnections={() => setRoom('connections')} />
      <KeysDialog open={keysOpen} onOpen={setKeysOpen} />
    </div>
  )
}

function useTitle({ totals, demo, connections }: AppState, blind: boolean) {
  const words = titleWords(connections.length === 0 ? null : totals, blind)
  useEffect(() => {
    document.title = demo ? `DEMO · ${words}` : words
  }, [words, demo])
}
