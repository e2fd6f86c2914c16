import { Cable, Rows3, Settings2 } from 'lucide-react'
import { Button } from 'react-aria-components'

export type Room = 'inventory' | 'connections' | 'settings'

const rooms = [
  { room: 'inventory', word: 'Inventory', Icon: Rows3 },
  { room: 'connections', word: 'Connections', Icon: Cable },
  { room: 'settings', word: 'Settings', Icon: Settings2 },
] as const

export function Rail({ room, onRoom }: { room: Room; onRoom: (room: Room) => void }) {
  return (
    <nav className="rail" aria-label="Rooms">
      {rooms.map(({ room: its, word, Icon }) => (
        <Button key={its} className="rail-item" {...(its === room && { 'aria-current': 'page' as const })} onPress={() => onRoom(its)}>
          <Icon size={18} strokeWidth={1.75} aria-hidden />
          <span>{word}</span>
        </Button>
      ))}
    </nav>
  )
}
