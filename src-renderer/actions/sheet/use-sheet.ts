import { useEffect, useMemo, useState } from 'react'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ActionRequest, Sheet, SheetRow } from '../../../src-shared/model/jobs.ts'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { createPaged, type Paged } from '../../lib/list/paged.ts'
import { useStore } from '../../lib/store.ts'
import type { AskedAction } from '../device-actions.ts'
import { armedOf } from '../offers.ts'

/** Time (ms) without input after which an action is prepared again. */
const settleMs = 300

export interface Prepared {
  /** The last sheet; null before the first one, and while there is no request. */
  sheet: Sheet | null
  /** Why the last request could not be prepared. */
  fault: Fault | null
  /** True when the sheet is of the present request. */
  current: boolean
  again(): void
}

/** Returns the request after it has not changed for `settleMs`; the first one, and null, at once. */
function useSettled(key: string | null): string | null {
  const [settled, setSettled] = useState(key)
  useEffect(() => {
    if (key === settled) return undefined
    const timer = setTimeout(() => setSettled(key), settled === null || key === null ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [key, settled])
  return settled
}

/**
 * Prepares an action, and again when the request or the armed tenants change. `request` keeps its identity while it
 * stays the same; null: the input is not complete.
 */
export function useSheet(request: ActionRequest | null): Prepared {
  const { session } = useAppContext()
  const armed = useArmed()
  const key = useMemo(() => (request === null ? null : JSON.stringify(request)), [request])
  const settled = useSettled(key)
  const asked = settled === null ? null : `${armed}\n${settled}`
  const { value, current, again } = useCall(asked, async () =>
    request === null ? null : session.pipe.call('jobs.prepare', request),
  )
  if (request === null) return { sheet: null, fault: null, current: false, again }
  return { ...resultOf(value), current: current && key === settled, again }
}

/** Returns the armed tenants, as a text that changes with them. */
function useArmed(): string {
  const { deviceActions } = useAppContext()
  return useStore(deviceActions.state, (state) =>
    armedOf(state)
      .map(({ tenant }) => tenant)
      .toSorted()
      .join('\n'),
  )
}

const resultOf = (answer: Answer<Sheet> | null): Pick<Prepared, 'sheet' | 'fault'> => ({
  sheet: answer?.ok === true ? answer.value : null,
  fault: answer?.ok === false ? answer.fault : null,
})

/** Prepares devices of an earlier job again, or its undo, and again when the armed tenants change. */
export function useFollowUp(asked: Extract<AskedAction, { what: 'again' | 'undo' }>): Prepared {
  const { session } = useAppContext()
  const armed = useArmed()
  const { value, current, again } = useCall(`${asked.what} ${asked.job} ${armed}`, () =>
    asked.what === 'undo'
      ? session.pipe.call('jobs.undo', { job: asked.job })
      : session.pipe.call('jobs.again', { job: asked.job, outcomes: [...asked.outcomes] }),
  )
  return { ...resultOf(value), current, again }
}

/** Returns the devices of a sheet in pages. */
export function useSheetRows(sheet: string): Paged<SheetRow> {
  const { session } = useAppContext()
  const rows = useMemo(
    () =>
      createPaged<SheetRow>({
        clock: systemClock,
        load: async (offset, limit) => {
          const answer = await session.pipe.call('jobs.sheetRows', { sheet, offset, limit })
          return answer.ok ? { ok: true, value: { rev: 0, ...answer.value } } : answer
        },
      }),
    [session, sheet],
  )
  useEffect(() => () => rows.stop(), [rows])
  return rows
}
