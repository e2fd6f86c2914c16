import { PhoneCall, TriangleAlert } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { Sheet } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { ignoredText } from '../../connections/import/import-lines.tsx'
import { alertText, costText, leftOutText, readyText } from '../format.ts'

interface Props {
  sheet: Sheet
  includeInCall: boolean
  waitMinutes: number
  onIncludeInCall: (include: boolean) => void
  onArm: (tenants: readonly string[]) => void
}

/** Returns how many devices an action is sent to: with `includeInCall`, those in a call too. */
export function readyCount({ ready, obstacles }: Sheet, includeInCall: boolean): number {
  const inCall = obstacles.find(({ obstacle }) => obstacle === 'in-call')?.devices ?? 0
  return ready + (includeInCall ? inCall : 0)
}

/** What an action would do: who is left out and why, calls, cost, alerts. */
export function SheetSummary({ sheet, includeInCall, waitMinutes, onIncludeInCall, onArm }: Props) {
  const alerts = alertText(sheet, waitMinutes)
  const ready = readyCount(sheet, includeInCall)
  return (
    <div className="sheet-summary">
      <LockedTenants sheet={sheet} onArm={onArm} />
      <p role="status" className="sheet-ready">
        <strong>{readyText({ ready, total: sheet.total })}.</strong> {costText({ ...sheet, ready })}
      </p>
      {sheet.obstacles.length > 0 && (
        <ul className="sheet-obstacles" aria-label="Left out">
          {sheet.obstacles.map((each) => (
            <li key={each.obstacle}>{leftOutText(each, includeInCall)}</li>
          ))}
        </ul>
      )}
      {sheet.endsCalls && (
        <p className="sheet-warning">
          <TriangleAlert size={14} aria-hidden />
          Reboot ends all calls at once.
        </p>
      )}
      <Calls sheet={sheet} includeInCall={includeInCall} onIncludeInCall={onIncludeInCall} />
      {alerts !== '' && <p>{alerts}</p>}
      {sheet.ignored.length > 0 && <p className="import-ignored">{ignoredText(sheet.ignored)}</p>}
    </div>
  )
}

function LockedTenants({ sheet: { tenants }, onArm }: Pick<Props, 'sheet' | 'onArm'>) {
  const { deviceActions } = useAppContext()
  const locked = tenants.filter(({ armed }) => !armed)
  const [first] = locked
  if (first === undefined) return null
  return (
    <div className="sheet-locked">
      <p>
        {locked.length === 1 ? <Isolated>{first.name}</Isolated> : many(locked.length, 'tenant')}{' '}
        {locked.length === 1 ? 'is' : 'are'} read-only.
      </p>
      <Button
        className="button"
        isDisabled={deviceActions.state.get()?.off !== null}
        onPress={() => onArm(locked.map(({ key }) => key))}
      >
        Arm…
      </Button>
    </div>
  )
}

function Calls({ sheet, includeInCall, onIncludeInCall }: Pick<Props, 'sheet' | 'includeInCall' | 'onIncludeInCall'>) {
  if (sheet.request.kind !== 'reboot') return null
  return (
    <>
      {sheet.inCall > 0 && (
        <label className="check">
          <input type="checkbox" checked={includeInCall} onChange={(event) => onIncludeInCall(event.target.checked)} />
          <span>
            <PhoneCall size={13} aria-hidden /> Include {many(sheet.inCall, 'device')} in a call, and end{' '}
            {sheet.inCall === 1 ? 'its call' : 'their calls'}
          </span>
        </label>
      )}
      {sheet.callsUnknown > 0 && (
        <p>
          Whether {many(sheet.callsUnknown, 'device is', 'devices are')} in a call is not known: the service does not
          say.
        </p>
      )}
    </>
  )
}
