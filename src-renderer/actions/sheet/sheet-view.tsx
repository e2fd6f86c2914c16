import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { JobPlan, Sheet } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { many } from '../../lib/format/numbers.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { useClocks } from '../../policies/use-policies.ts'
import { ArmDialog } from '../lock/arm-dialog.tsx'
import { kindLabels } from '../labels.ts'
import { firstPlan, planOf } from './plan.ts'
import { PlanFields, usePlace, useStartZone } from './plan-fields.tsx'
import { readyCount, SheetSummary } from './sheet-summary.tsx'
import { SheetRows } from './sheet-rows.tsx'
import type { Prepared } from './use-sheet.ts'

interface Props {
  prepared: Prepared
  coreLost: boolean
  /** Fields of the action, above its devices. */
  children?: ReactNode
  /** The state of the input while there is no sheet. */
  waiting?: string
  /** Further buttons before Cancel. */
  more?: ReactNode
  onDone: () => void
}

/** The sheet before an action: its devices, what it does, how it runs, and the button that starts it. */
export function SheetView({ prepared, coreLost, children, waiting = 'Preparing…', more, onDone }: Props) {
  const { sheet, fault, current } = prepared
  return (
    <>
      {children}
      <FaultNote fault={fault} />
      {sheet === null ? (
        <>
          <p role="status" className="sheet-waiting">
            {fault === null ? waiting : ''}
          </p>
          <div className="dialog-actions">
            {more}
            <span className="spring" />
            <Button className="button" onPress={onDone}>
              Cancel
            </Button>
          </div>
        </>
      ) : (
        <SheetForm
          sheet={sheet}
          current={current}
          coreLost={coreLost}
          more={more}
          onAgain={prepared.again}
          onDone={onDone}
        />
      )}
    </>
  )
}

interface FormProps extends Pick<Props, 'coreLost' | 'more' | 'onDone'> {
  sheet: Sheet
  current: boolean
  onAgain: () => void
}

function SheetForm({ sheet, current, coreLost, more, onAgain, onDone }: FormProps) {
  const [draft, setDraft] = useState(firstPlan)
  const [typed, setTyped] = useState('')
  const [arming, setArming] = useState<readonly string[] | null>(null)
  const { zone, place, problems, plan } = usePlan(sheet, draft)
  const { starting, fault, start } = useStart(sheet, onDone)
  const ready = readyCount(sheet, draft.includeInCall)
  const confirmed = sheet.confirm === null || typed === sheet.confirm
  const disabled = coreLost || !current || starting || ready === 0 || plan === null || !confirmed
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  return (
    <>
      <SheetSummary
        sheet={sheet}
        includeInCall={draft.includeInCall}
        waitMinutes={plan?.waitMinutes ?? Number(firstPlan.waitMinutes)}
        onIncludeInCall={(includeInCall) => change({ includeInCall })}
        onArm={setArming}
      />
      <SheetRows key={sheet.id} sheet={sheet} includeInCall={draft.includeInCall} />
      <PlanFields
        draft={draft}
        problems={problems}
        zone={zone}
        place={place}
        rolling={sheet.request.kind === 'reboot'}
        several={sheet.total > 1}
        onChange={change}
      />
      {sheet.confirm !== null && <Confirmation wanted={sheet.confirm} typed={typed} onTyped={setTyped} />}
      <FaultNote fault={fault} />
      <div className="dialog-actions">
        {more}
        {fault !== null && (
          <Button className="button" onPress={onAgain}>
            Prepare again
          </Button>
        )}
        <span className="spring" />
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
        <Button
          className={`button ${sheet.request.kind === 'reboot' ? 'danger' : 'primary'}`}
          isDisabled={disabled}
          onPress={() => void (plan !== null && start(typed, plan))}
        >
          {ready === 0 ? kindLabels[sheet.request.kind] : `${kindLabels[sheet.request.kind]} ${many(ready, 'device')}`}
        </Button>
      </div>
      {arming !== null && <ArmDialog tenants={arming} coreLost={coreLost} onDone={() => setArming(null)} />}
    </>
  )
}

/** Returns the plan of the input, in the zone of the first device's place. */
function usePlan(sheet: Sheet, draft: typeof firstPlan) {
  const { session, ticker } = useAppContext()
  const { zones } = useClocks()
  const first = useCall(sheet.id, async () => {
    const answer = await session.pipe.call('jobs.sheetRows', {
      sheet: sheet.id,
      offset: Math.max(0, sheet.total - 1),
      limit: 1,
    })
    return answer.ok ? (answer.value.rows[0] ?? null) : null
  })
  const place = usePlace(first.value ?? undefined)
  const zone = useStartZone(place)
  // Renders every minute, because the start may be over before it is confirmed.
  useTickedText((now) => String(Math.floor(now / 60_000)))
  return { zone, place, ...planOf(draft, { zones, zone, now: ticker.now() }) }
}

function useStart(sheet: Sheet, onDone: () => void) {
  const { session, deviceActions } = useAppContext()
  const [starting, setStarting] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  async function start(confirmation: string, plan: JobPlan) {
    setStarting(true)
    const answer = await session.pipe.call('jobs.start', { sheet: sheet.id, confirmation, plan })
    setStarting(false)
    if (!answer.ok) return setFault(answer.fault)
    deviceActions.report({
      words: plan.at === null ? 'Started.' : 'Scheduled.',
      job: answer.value.job,
    })
    onDone()
  }
  return { starting, fault, start }
}

/** The field in which the operator types what the sheet asks for. */
function Confirmation({ wanted, typed, onTyped }: { wanted: string; typed: string; onTyped: (typed: string) => void }) {
  return (
    <label className="form-field sheet-confirm">
      <span>
        Type <strong>{wanted}</strong> to confirm
      </span>
      <input
        className="input"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
      />
    </label>
  )
}
