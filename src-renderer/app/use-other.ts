import { useEffect, useState } from 'react'
import type { Fault } from '../../src-shared/model/fault.ts'
import { printLink, linkScheme } from '../../src-shared/navigation/link.ts'
import type { Adding } from '../../src-shared/navigation/screens.ts'
import { useAppContext } from '../lib/context.ts'

/** As long as a second Muster takes to open, in milliseconds: until then a second press would be a mistake. */
const opensIn = 5000

/** Opens the demo from one's own connections, and the other way: in a window of its own, or in this tab of a browser. */
export function useOther(): { started: boolean; fault: Fault | null; start: (add?: Adding) => void } {
  const { session } = useAppContext()
  const [started, setStarted] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  useEffect(() => {
    if (!started) return undefined
    const timer = setTimeout(() => setStarted(false), opensIn)
    return () => clearTimeout(timer)
  }, [started])
  async function start(add: Adding | null) {
    setStarted(true)
    const answer = await session.pipe.call('start.other', { add })
    setFault(answer.ok ? null : answer.fault)
    if (!answer.ok) setStarted(false)
    else if (answer.value.url !== null) window.location.assign(withDialog(answer.value.url, add))
  }
  return { started, fault, start: (add) => void start(add ?? null) }
}

/** The address with the dialog behind its one-time key, where links to a Muster in a browser stand (sign-in.ts, link-text.ts). */
function withDialog(url: string, add: Adding | null): string {
  const link = add === null ? null : printLink({ to: 'add', what: add })
  return link === null ? url : `${url}&${link.slice(`${linkScheme}://`.length)}`
}
