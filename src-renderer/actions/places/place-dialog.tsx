import { useState, type FormEvent } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { maxSentName, type ActionRequest, type Sheet } from '../../../src-shared/model/jobs.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { FormRow } from '../../policies/fields.tsx'
import type { AskedAction } from '../device-actions.ts'
import { obstacleText } from '../format.ts'
import { ArmDialog } from '../lock/arm-dialog.tsx'
import { ActionFrame } from '../sheet/devices-dialog.tsx'
import { PlaceSearch } from './move-fields.tsx'

type AskedPlace = Extract<AskedAction, { what: 'site' | 'room' }>

interface Props {
  asked: AskedPlace
  coreLost: boolean
  onDone: () => void
}

/** Creates or changes a site or room of a tenant at its service. */
export function PlaceDialog({ asked, coreLost, onDone }: Props) {
  const { deviceActions } = useAppContext()
  const place = asked.what === 'site' ? asked.site : asked.room
  const [name, setName] = useState(place?.name ?? '')
  const [site, setSite] = useState<NamedRef | null>(asked.what === 'room' ? (asked.room?.site ?? asked.site) : null)
  const [capacity, setCapacity] = useState('')
  const [arming, setArming] = useState(false)
  const { busy, fault, save } = useSave(onDone)
  const tenant = useStore(deviceActions.state, (state) => state?.tenants.find((each) => each.tenant === asked.tenant))
  const locked = tenant?.armedUntil == null
  const badCapacity = capacity.trim() !== '' && !/^\s*\d{1,5}\s*$/u.test(capacity)
  const ready = name.trim() !== '' && !badCapacity && !locked && !busy && !coreLost
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) void save(requestOf(asked, { name, site, capacity }))
  }
  return (
    <ActionFrame title={`${place === null ? 'New' : 'Edit the'} ${asked.what}`} onDone={onDone}>
      <form className="form" noValidate onSubmit={submit}>
        <p className="hint">
          In <Isolated>{tenant?.name}</Isolated>, at its service.
        </p>
        {locked && <LockedNote name={tenant?.name ?? ''} coreLost={coreLost} onArm={() => setArming(true)} />}
        <Name value={name} onChange={setName} />
        {asked.what === 'room' && (
          <PlaceSearch
            label="Site"
            kind="site"
            tenant={asked.tenant}
            site={null}
            value={site}
            none="No site"
            onChange={setSite}
          />
        )}
        {asked.what === 'room' && <Capacity value={capacity} invalid={badCapacity} onChange={setCapacity} />}
        <FaultNote fault={fault} />
        <div className="dialog-actions">
          <Button className="button" onPress={onDone}>
            Cancel
          </Button>
          <Button className="button primary" type="submit" isDisabled={!ready}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
      {arming && <ArmDialog tenants={[asked.tenant]} coreLost={coreLost} onDone={() => setArming(false)} />}
    </ActionFrame>
  )
}

function LockedNote({ name, coreLost, onArm }: { name: string; coreLost: boolean; onArm: () => void }) {
  return (
    <div className="sheet-locked">
      <p>
        <Isolated>{name}</Isolated> is read-only.
      </p>
      <Button className="button" isDisabled={coreLost} onPress={onArm}>
        Arm…
      </Button>
    </div>
  )
}

function Name({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <FormRow label="Name">
      {({ id }) => (
        <input
          id={id}
          className="input"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
          autoFocus
          autoComplete="off"
          maxLength={maxSentName}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormRow>
  )
}

function Capacity({
  value,
  invalid,
  onChange,
}: {
  value: string
  invalid: boolean
  onChange: (capacity: string) => void
}) {
  return (
    <FormRow
      label="Capacity"
      error={invalid ? 'Enter a whole number of persons.' : undefined}
      hint="Persons. Left empty, it stays as it is."
    >
      {({ id, describedBy }) => (
        <input
          id={id}
          className="input"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormRow>
  )
}

function requestOf(
  asked: AskedPlace,
  { name, site, capacity }: { name: string; site: NamedRef | null; capacity: string },
): ActionRequest {
  const { tenant } = asked
  if (asked.what === 'site') return { kind: 'site', tenant, id: asked.site?.id ?? null, name: name.trim() }
  return {
    kind: 'room',
    tenant,
    id: asked.room?.id ?? null,
    site: site?.id ?? null,
    name: name.trim(),
    ...(capacity.trim() === '' ? {} : { capacity: Number(capacity) }),
  }
}

/** Prepares and starts the job of a place in one step, because the form is its sheet. */
function useSave(onDone: () => void) {
  const { session, deviceActions } = useAppContext()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  async function start(sheet: Sheet): Promise<Fault | null> {
    const [left] = sheet.obstacles
    if (left !== undefined) return { kind: 'input', detail: `${obstacleText(left.obstacle)}.` }
    const answer = await session.pipe.call('jobs.start', {
      sheet: sheet.id,
      confirmation: '',
      plan: { batch: null, waitMinutes: 1, stopAfter: null, at: null, includeInCall: false },
    })
    if (!answer.ok) return answer.fault
    deviceActions.report({ words: 'Sent to the service.', job: answer.value.job })
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
