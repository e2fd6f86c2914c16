import { useState } from 'react'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'

/** A call that a dialog makes before it closes: whether it is on its way, and the fault of the last one. */
export function useOneCall(call: () => Promise<Answer<unknown>>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const run = async () => {
    setBusy(true)
    const answer = await call()
    setBusy(false)
    if (answer.ok) onDone()
    else setFault(answer.fault)
  }
  return { isBusy, fault, run: () => void run() }
}
