import { useCallback, useEffect, useRef, useState } from 'react'
import type { EventData } from '../../src-shared/contract.ts'
import type { Room, SettingsPart } from '../../src-shared/rooms.ts'
import type { Incidents } from '../incidents/incidents.ts'
import { useSurroundings } from '../surroundings.ts'
import { afterFrames } from '../ui/after-frames.ts'
import { focusPane } from '../ui/panes.ts'

interface Way {
  room: Room
  /** `part`: of the settings, with the focus there. */
  toRoom: (room: Room, part?: SettingsPart) => void
  /** The part of the settings that is to come in sight, until it has `arrived`. */
  part: SettingsPart | null
  arrived: () => void
  /** Back to a room that was left for an incident, with the focus in it. */
  back: (room: Room) => void
}

/** Which room is shown: the one that was chosen, or that of what somebody opened. `onDialog`: a dialog was asked for instead. */
export function useRoom(
  incidents: Incidents,
  onDialog: (dialog: NonNullable<EventData<'open'>['dialog']>) => void,
): Way {
  const { session } = useSurroundings()
  const [room, setRoom] = useState<Room>('inventory')
  const [part, setPart] = useState<SettingsPart | null>(null)
  const toRoom = useCallback((next: Room, wanted: SettingsPart | null = null) => {
    setRoom(next)
    setPart(wanted)
  }, [])
  const arrived = useCallback(() => setPart(null), [])
  const at = useRef(room)
  const dialog = useRef(onDialog)
  useEffect(() => {
    dialog.current = onDialog
  })
  useEffect(() => {
    at.current = room
    // From another room nothing leads back to where somebody was before that.
    if (room !== 'incidents') incidents.stay()
    // Words about an act are about what is in its room.
    return () => incidents.acts.forget()
  }, [incidents, room])
  useEffect(
    () =>
      session.onOpen((what) => {
        if (what.dialog !== undefined) return dialog.current(what.dialog)
        const next = roomOf(what)
        if (next === 'incidents' && at.current !== next) incidents.cameFrom(at.current)
        toRoom(next, what.part)
      }),
    [session, incidents, toRoom],
  )
  const back = (to: Room) => {
    toRoom(to)
    afterFrames(() =>
      focusPane(document.getElementById(to === 'inventory' ? 'devices' : to) ?? document.getElementById('main')),
    )
  }
  return { room, toRoom, back, part, arrived }
}

function roomOf({ room, incident }: EventData<'open'>): Room {
  return room ?? (typeof incident === 'string' ? 'incidents' : 'inventory')
}
