import { useEffect, useState } from 'react'
import type { Fault } from '../../src-shared/model/fault.ts'
import { printLink, linkScheme } from '../../src-shared/navigation/link.ts'
import type { Adding } from '../../src-shared/navigation/screens.ts'
import { useAppContext } from '../lib/context.ts'

/** Time (ms) that a second Muster takes to open. The button is disabled until then, to prevent a double start. */
const opensIn = 5000

/**
 * Opens the demo from the operator's Muster, or the other way round: in its own window, or in this tab of a browser.
 */
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

/**
 * Returns the address with a link to the dialog after its one-time key, where Muster in a browser reads links
 * (sign-in.ts, link-text.ts).
 */
function withDialog(url: string, add: Adding | null): string {
  const link = add === null ? null : printLink({ to: 'add', what: add })
  return link === null ? url : `${url}&${link.slice(`${linkScheme}://`.length)}`
}
