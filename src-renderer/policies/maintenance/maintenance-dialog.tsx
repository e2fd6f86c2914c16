import { type FormEvent, useRef, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { MaintenanceWindow } from '../../../src-shared/maintenance/maintenance.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import type { Asked } from '../policy-editor.ts'
import { type Draft, draftOf, type Field, fields, freshDraft, type Problems, maintenanceOf, withZone } from './draft.ts'
import { FormRow } from '../fields.tsx'
import { PlaceField } from '../place/place-field.tsx'
import { zoneOf } from '../place/place.ts'
import { NextTimes } from './preview.tsx'
import { useClocks, usePolicies } from '../use-policies.ts'
import { WhenFields } from './when-fields.tsx'
import { ZoneField } from '../zones/zone-field.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

type AskedWindow = Extract<Asked, { what: 'window' }>

interface Props {
  asked: AskedWindow
  coreLost: boolean
  onDone: () => void
}

/** Creates or changes a maintenance window. It asks before it discards input. */
export function MaintenanceDialog({ asked, coreLost, onDone }: Props) {
  const { zones, now } = useClocks()
  const [first] = useState(() =>
    asked.configured === null || asked.place === null
      ? freshDraft(asked.place, asked.zone, zones, now)
      : draftOf(asked.configured, asked.place, zones, now),
  )
  const [draft, setDraft] = useState(first)
  const leaving = useLeaving(() => JSON.stringify(draft) !== JSON.stringify(first), onDone)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal wide">
        <Dialog className="dialog">
          <Heading slot="title">
            {asked.configured === null ? 'New maintenance window' : 'Change the maintenance window'}
          </Heading>
          <MaintenanceForm
            before={asked.configured?.window ?? null}
            first={first}
            draft={draft}
            coreLost={coreLost}
            onChange={(part) => setDraft({ ...draft, ...part })}
            onLeave={leaving.leave}
            onDone={onDone}
          />
          {leaving.asking && (
            <LeaveDialog
              what={
                asked.configured === null
                  ? 'This maintenance window has not been saved.'
                  : 'Your changes have not been saved.'
              }
              leaving={leaving}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface FormProps {
  before: MaintenanceWindow | null
  /** The input when the form was opened. */
  first: Draft
  draft: Draft
  coreLost: boolean
  onChange: (part: Partial<Draft>) => void
  onLeave: () => void
  onDone: () => void
}

function MaintenanceForm({ before, first, draft, coreLost, onChange, onLeave, onDone }: FormProps) {
  const { policyEditor, ticker } = useAppContext()
  const { now, zones } = useClocks()
  const policies = usePolicies()
  const form = useRef<HTMLFormElement>(null)
  const [id] = useState(() => before?.id ?? crypto.randomUUID())
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const inherited = zoneOf(draft.place, policies)
  // This computer's zone may not be that of a distant place, so the operator chooses one once, and it is stored for the
  // place.
  const isAsked = before === null && inherited.from === null
  const zone = draft.zone ?? (isAsked ? null : inherited.zone)
  const clockAt = isAsked && draft.zone !== null ? (draft.place?.clockAt ?? null) : null
  const [forPlace, setForPlace] = useState(true)
  const parse = (now: number) =>
    maintenanceOf(draft, { id, before, zone, zones: policyEditor.zones, maintenance: policyEditor.maintenance, now })
  // Renders every minute, because a window may be over before it is saved.
  useTickedText((now) => String(Math.floor(now / 60_000)))
  const { problems: all } = parse(ticker.now())
  const { shown, left, send } = useMarks(all)

  const rezone = (chosen: string | null) =>
    onChange(withZone(draft, first, chosen, { zones, now, clocks: chosen ?? inherited.zone }))

  async function save(event: FormEvent) {
    event.preventDefault()
    const { window, problems } = parse(ticker.now())
    if (window === null) return send(problems, form.current)
    setBusy(true)
    const isForPlace = clockAt !== null && forPlace
    const failure =
      (isForPlace ? await policyEditor.setZone(clockAt, window.zone) : null) ??
      (await policyEditor.save(isForPlace ? { ...window, zone: null } : window, before === null))
    setBusy(false)
    if (failure === null) onDone()
    else setFault(failure)
  }

  return (
    <form ref={form} className="form maintenance-form" noValidate onSubmit={(event) => void save(event)}>
      <NameRow value={draft.name} problems={shown} onChange={(name) => onChange({ name })} />
      <div data-field="place">
        <PlaceField value={draft.place} error={shown.get('place')} onChange={(place) => onChange({ place })} />
      </div>
      <WhenFields draft={draft} problems={shown} onChange={onChange} onLeft={left} />
      <div data-field="zone">
        <ZoneField
          value={draft.zone}
          inherited={inherited}
          asksFor={isAsked ? (draft.place?.clockAt?.name ?? draft.place?.name ?? 'this place') : null}
          policies={policies}
          error={shown.get('zone')}
          onChange={rezone}
        />
        {clockAt !== null && <PlaceZoneChoice place={clockAt.name} forPlace={forPlace} onForPlace={setForPlace} />}
      </div>
      <NextTimes draft={draft} zone={zone} />
      <FaultNote fault={fault} />
      <FormActions isDisabled={busy || coreLost} busy={busy} onLeave={onLeave} />
    </form>
  )
}

interface NameRowProps {
  value: string
  problems: Problems
  onChange: (name: string) => void
}

function NameRow({ value, problems, onChange }: NameRowProps) {
  return (
    <FormRow label="Name" error={problems.get('name')}>
      {({ id, describedBy }) => (
        <input
          id={id}
          className="input"
          data-field="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
          autoFocus
          maxLength={200}
          autoComplete="off"
          placeholder="Berlin patching"
          aria-invalid={problems.has('name')}
          aria-describedby={describedBy}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormRow>
  )
}

interface PlaceZoneChoiceProps {
  place: string
  forPlace: boolean
  onForPlace: (forPlace: boolean) => void
}

/** A checkbox that sets the zone for the place instead of only this window. */
function PlaceZoneChoice({ place, forPlace, onForPlace }: PlaceZoneChoiceProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={forPlace} onChange={(event) => onForPlace(event.target.checked)} />
      <span>
        Use it for <Isolated>{place}</Isolated> from now on
      </span>
    </label>
  )
}

function FormActions({ isDisabled, busy, onLeave }: { isDisabled: boolean; busy: boolean; onLeave: () => void }) {
  return (
    <div className="dialog-actions">
      <span className="spring">
        <span className="hint">Disconnects are still recorded; the window ends with a report.</span>
      </span>
      <Button className="button" onPress={onLeave}>
        Cancel
      </Button>
      <Button className="button primary" type="submit" isDisabled={isDisabled}>
        {busy ? 'Saving…' : 'Save'}
      </Button>
    </div>
  )
}

/** Holds which errors are shown: those of fields that were left, and all after the first attempt to save. */
function useMarks(problems: Problems) {
  const [sent, setSent] = useState(false)
  const [seen, setSeen] = useState<ReadonlySet<Field>>(new Set())
  return {
    shown: sent ? problems : new Map([...problems].filter(([field]) => seen.has(field))),
    left: (field: Field) => setSeen((before) => new Set([...before, field])),
    /** Shows all errors and moves the focus to the first. */
    send(found: Problems, form: HTMLFormElement | null) {
      setSent(true)
      const first = fields.find((field) => found.has(field))
      const place = form?.querySelector(`[data-field='${first}']`)
      const control =
        place instanceof HTMLInputElement ? place : place?.querySelector<HTMLElement>('input:not([type=radio])')
      control?.focus()
    },
  }
}
