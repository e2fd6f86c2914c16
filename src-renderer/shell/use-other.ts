import { useEffect, useState } from 'react'
import type { Fault } from '../../src-shared/fault.ts'
import { useSurroundings } from '../surroundings.ts'

/** As long as a second Muster takes to open, in milliseconds: until then a second press would be a mistake. */
const opensIn = 5000

/** Opens the demo from one's own connections, and the other way. */
export function useOther(): { started: boolean; fault: Fault | null; start: () => void } {
  const { session } = useSurroundings()
  const [started, setStarted] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  useEffect(() => {
    if (!started) return undefined
    const timer = setTimeout(() => setStarted(false), opensIn)
    return () => clearTimeout(timer)
  }, [started])
  async function start() {
    setStarted(true)
    const answer = await session.pipe.call('start.other', {})
    setFault(answer.ok ? null : answer.fault)
    if (!answer.ok) setStarted(false)
  }
  return { started, fault, start: () => void start() }
}
