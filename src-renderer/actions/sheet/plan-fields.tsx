import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import { zoneName } from '../../../src-shared/maintenance/zones.ts'
import type { SheetRow } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { FormGroup } from '../../policies/fields.tsx'
import { spanIn } from '../../policies/format.ts'
import { type Place, placeOf, zoneOf } from '../../policies/place/place.ts'
import { useClocks, usePolicies } from '../../policies/use-policies.ts'
import { fieldsOf, type PlanDraft, type PlanField, type PlanProblems } from './plan.ts'

interface Props {
  draft: PlanDraft
  problems: PlanProblems
  zone: string
  place: Place | null
  /** True where devices can be waited for: a reboot. */
  rolling: boolean
  onChange: (part: Partial<PlanDraft>) => void
}

/** Returns the place of a device, whose zone is that of the job's start; null until it is known. */
export function usePlace(first: Pick<SheetRow, 'key'> | undefined): Place | null {
  const { session } = useAppContext()
  const key = first?.key ?? null
  const { value } = useCall(key, async () => {
    const answer = await session.pipe.call('inventory.places', { asked: { device: key ?? '' }, limit: 1 })
    const [found] = answer.ok ? answer.value.places : []
    return found === undefined ? null : placeOf(found)
  })
  return value
}

/** How a job runs: in batches or not, and when it starts. */
export function PlanFields({ draft, problems, zone, place, rolling, onChange }: Props) {
  return (
    <div className="plan-fields">
      {rolling && <Rolling draft={draft} problems={problems} onChange={onChange} />}
      <Start draft={draft} problems={problems} zone={zone} place={place} onChange={onChange} />
    </div>
  )
}

function Rolling({ draft, problems, onChange }: Pick<Props, 'draft' | 'problems' | 'onChange'>) {
  const shared = { draft, problems, onChange }
  return (
    <FormGroup label="Order" error={first(problems, ['batch', 'waitMinutes', 'stopAfter'])}>
      <Choice
        label="Order"
        value={draft.rolling ? 'rolling' : 'all'}
        options={[
          { value: 'all', word: 'One after the other' },
          { value: 'rolling', word: 'In batches' },
        ]}
        onChange={(order) => onChange({ rolling: order === 'rolling' })}
      />
      {draft.rolling && (
        <>
          <Number {...shared} field="batch" label="Devices in a batch" unit="devices in a batch" />
          <Number {...shared} field="waitMinutes" label="Wait at most, minutes" unit="min until they are back" />
          <label className="check">
            <input
              type="checkbox"
              checked={draft.stops}
              onChange={(event) => onChange({ stops: event.target.checked })}
            />
            <span>Stop after</span>
          </label>
          <Number
            {...shared}
            field="stopAfter"
            label="Devices not back that stop the action"
            unit="not back"
            disabled={!draft.stops}
          />
        </>
      )}
      {!draft.rolling && (
        <Number
          {...shared}
          field="waitMinutes"
          label="Wait for each device at most, minutes"
          unit="min until it is back"
        />
      )}
    </FormGroup>
  )
}

const first = (problems: PlanProblems, fields: readonly PlanField[]): string | undefined =>
  fields.map((field) => problems.get(field)).find((problem) => problem !== undefined)

interface NumberProps extends Pick<Props, 'draft' | 'problems' | 'onChange'> {
  field: 'batch' | 'waitMinutes' | 'stopAfter'
  label: string
  unit: string
  disabled?: boolean
}

function Number({ draft, problems, onChange, field, label, unit, disabled = false }: NumberProps) {
  return (
    <span className="plan-number">
      <input
        className="input"
        inputMode="numeric"
        aria-label={label}
        aria-invalid={problems.has(field)}
        autoComplete="off"
        maxLength={6}
        disabled={disabled}
        value={draft[field]}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
      <span className="muted-text">{unit}</span>
    </span>
  )
}

function Start({ draft, problems, zone, place, onChange }: Omit<Props, 'rolling'>) {
  const where =
    place === null ? zoneName(zone) : `${zoneName(zone)}, the time of ${isolated(place.clockAt?.name ?? place.name)}`
  return (
    <FormGroup label="Start" error={problems.get('at')} hint={draft.start === 'at' ? `Times in ${where}.` : undefined}>
      <Choice
        label="Start"
        value={draft.start}
        options={[
          { value: 'now', word: 'Now' },
          { value: 'at', word: 'At a time' },
        ]}
        onChange={(start) => onChange({ start })}
      />
      {draft.start === 'at' && (
        <>
          <input
            className="input"
            data-size="date"
            type="date"
            aria-label="Start, date"
            aria-invalid={problems.has('at')}
            max="9999-12-31"
            value={draft.date}
            onChange={(event) => onChange({ date: event.target.value })}
          />
          <input
            className="input"
            data-size="time"
            aria-label="Start, time"
            aria-invalid={problems.has('at')}
            placeholder="22:00"
            maxLength={10}
            autoComplete="off"
            value={draft.time}
            onChange={(event) => onChange({ time: event.target.value })}
          />
          <Proposal zone={zone} place={place} onChange={onChange} />
        </>
      )}
    </FormGroup>
  )
}

/** Proposes the next maintenance window over the place. */
function Proposal({ zone, place, onChange }: Pick<Props, 'zone' | 'place' | 'onChange'>) {
  const { policyEditor } = useAppContext()
  const clocks = useClocks()
  const { windows } = usePolicies()
  const next = useMemo(
    () =>
      windows
        .filter(({ window }) => place?.path.includes(window.node) === true)
        .flatMap((configured) => {
          const found = policyEditor.maintenance.nextOccurrence(configured.window, configured.zone, clocks.now)
          return found === null ? [] : [{ ...configured, found }]
        })
        .toSorted((one, other) => one.found.from - other.found.from)[0],
    // oxlint-disable-next-line react/exhaustive-deps -- the next window is not searched again each second
    [windows, place, policyEditor],
  )
  if (next === undefined) return null
  return (
    <Button className="button" onPress={() => onChange(fieldsOf(next.found.from, { zones: clocks.zones, zone }))}>
      At “{isolated(next.window.name)}”, {spanIn(clocks, zone, next.found)}
    </Button>
  )
}

/** Returns the zone in which the start of a job is entered: that of its first device's place. */
export function useStartZone(place: Place | null): string {
  const policies = usePolicies()
  return zoneOf(place, policies).zone
}
