import { useState } from 'react'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ActionRequest, JobPlan, Sheet } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { obstacleText } from '../format.ts'

/** A place is sent at once. */
const plan: JobPlan = { batch: null, waitMinutes: 1, stopAfter: null, at: null, includeInCall: false }

/** Prepares and starts the job of a place in one step, because the form is its sheet. */
export function useSave(onDone: () => void) {
  const { session, deviceActions } = useAppContext()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  async function start(sheet: Sheet): Promise<Fault | null> {
    const [left] = sheet.obstacles
    if (left !== undefined) return { kind: 'input', detail: `${obstacleText(left.obstacle)}.` }
    const answer = await session.pipe.call('jobs.start', { sheet: sheet.id, confirmation: '', plan })
    if (!answer.ok) return answer.fault
    deviceActions.report({ words: 'Started.', job: answer.value.job })
    return null
  }
  async function save(request: ActionRequest) {
    setBusy(true)
    const answer = await session.pipe.call('jobs.prepare', request)
    const failure = answer.ok ? await start(answer.value) : answer.fault
    setBusy(false)
    if (failure === null) onDone()
    else setFault(failure)
  }
  return { busy, fault, save }
}
