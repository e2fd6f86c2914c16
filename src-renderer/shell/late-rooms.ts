import { useEffect, useState } from 'react'

const load = () => import('./later.ts')
export type LateRooms = Awaited<ReturnType<typeof load>>['lateRooms']

/** The rooms and dialogs that nobody sees first: they come right after the first paint. Null until they are there. */
export function useLateRooms(): LateRooms | null {
  const [rooms, setRooms] = useState<LateRooms | null>(null)
  useEffect(() => {
    // Where the core has gone meanwhile, the window says that, and is loaded anew.
    void load().then(({ lateRooms }) => setRooms(lateRooms), () => {})
  }, [])
  return rooms
}
