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
  /** True for more than one device. */
  several: boolean
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
export function PlanFields({ draft, problems, zone, place, rolling, several, onChange }: Props) {
  return (
    <div className="plan-fields">
      {rolling && <Rolling draft={draft} problems={problems} several={several} onChange={onChange} />}
      <Start draft={draft} problems={problems} zone={zone} place={place} onChange={onChange} />
    </div>
  )
}

function Rolling({ draft, problems, several, onChange }: Pick<Props, 'draft' | 'problems' | 'several' | 'onChange'>) {
  const shared = { draft, problems, onChange }
  const error = first(problems, ['batch', 'waitMinutes', 'stopAfter'])
  const wait = <Number {...shared} field="waitMinutes" label="Wait at most" unit="min for each device to come back" />
  if (!several)
    return (
      <FormGroup label="Wait" error={error}>
        <Number {...shared} field="waitMinutes" label="At most" unit="min for the device to come back" />
      </FormGroup>
    )
  return (
    <FormGroup label="Order" error={error}>
      <Choice
        label="Order"
        value={draft.rolling ? 'rolling' : 'all'}
        options={[
          { value: 'all', word: 'All at once' },
          { value: 'rolling', word: 'In batches' },
        ]}
        onChange={(order) => onChange({ rolling: order === 'rolling' })}
      />
      {draft.rolling && <Number {...shared} field="batch" label="Batches of" unit="devices" />}
      {wait}
      {draft.rolling && <StopAfter {...shared} />}
    </FormGroup>
  )
}

function StopAfter({ draft, problems, onChange }: Pick<Props, 'draft' | 'problems' | 'onChange'>) {
  return (
    <span className="plan-number">
      <label className="check">
        <input type="checkbox" checked={draft.stops} onChange={(event) => onChange({ stops: event.target.checked })} />
        <span>Stop after</span>
      </label>
      <NumberInput
        draft={draft}
        problems={problems}
        onChange={onChange}
        field="stopAfter"
        label="Devices not back that stop the action"
        disabled={!draft.stops}
      />
      <span className="muted-text">devices that do not come back</span>
    </span>
  )
}

const first = (problems: PlanProblems, fields: readonly PlanField[]): string | undefined =>
  fields.map((field) => problems.get(field)).find((problem) => problem !== undefined)

interface NumberProps extends Pick<Props, 'draft' | 'problems' | 'onChange'> {
  field: 'batch' | 'waitMinutes' | 'stopAfter'
  label: string
}

/** A number between its label and its unit. */
function Number({ unit, ...input }: NumberProps & { unit: string }) {
  return (
    <span className="plan-number">
      <span aria-hidden>{input.label}</span>
      <NumberInput {...input} label={`${input.label}, ${unit}`} />
      <span className="muted-text" aria-hidden>
        {unit}
      </span>
    </span>
  )
}

function NumberInput({
  draft,
  problems,
  onChange,
  field,
  label,
  disabled = false,
}: NumberProps & { disabled?: boolean }) {
  return (
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
  )
}

/** Returns the first full hour that is at least an hour away, ms. */
const nextHour = (now: number) => Math.ceil(now / 3_600_000 + 1) * 3_600_000

function Start({ draft, problems, zone, place, onChange }: Omit<Props, 'rolling' | 'several'>) {
  const clocks = useClocks()
  const choose = (start: PlanDraft['start']) =>
    onChange({
      start,
      ...(start === 'at' && draft.date === '' && fieldsOf(nextHour(clocks.now), { zones: clocks.zones, zone })),
    })
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
        onChange={choose}
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
