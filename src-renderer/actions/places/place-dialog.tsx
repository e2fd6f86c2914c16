import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { maxSentName, type ActionRequest } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { FormRow } from '../../policies/fields.tsx'
import type { AskedAction } from '../device-actions.ts'
import { ArmDialog } from '../lock/arm-dialog.tsx'
import { ActionFrame } from '../sheet/devices-dialog.tsx'
import { PlaceSearch, usePlaces } from './place-search.tsx'
import { RoomFields } from './room-fields.tsx'
import {
  capacityProblem,
  isChanged,
  knownRoom,
  newRoom,
  roomRequest,
  sizeProblem,
  type KnownRoom,
} from './place-values.ts'
import { useSave } from './use-save.ts'

type Asked<K extends 'site' | 'room'> = Extract<AskedAction, { what: K }>

interface Props {
  coreLost: boolean
  onDone: () => void
}

/** Creates or changes a site of a tenant at its service. */
export function SiteDialog({ asked: { tenant, site, account }, ...shared }: Props & { asked: Asked<'site'> }) {
  const [name, setName] = useState(site?.name ?? '')
  const [into, setInto] = useState<NamedRef | null>(account)
  const { places: accounts } = usePlaces({ tenant, kind: 'account', site: null }, '')
  const request = (): ActionRequest => ({
    kind: 'site',
    tenant,
    id: site?.id ?? null,
    name: name.trim(),
    ...(into !== null && { account: into.id }),
  })
  return (
    <PlaceForm
      {...shared}
      title={site === null ? 'New site' : 'Edit the site'}
      tenant={tenant}
      ready={name.trim() !== '' && name.trim() !== site?.name}
      request={request}
    >
      <Name value={name} onChange={setName} />
      {site === null && accounts.length > 0 && (
        <PlaceSearch
          label="Account"
          kind="account"
          tenant={tenant}
          site={null}
          value={into}
          none="Chosen by the service"
          onChange={setInto}
        />
      )}
    </PlaceForm>
  )
}

/** Creates or changes a room of a tenant at its service. A known room is read first. */
export function RoomDialog({ asked: { tenant, room, site }, ...shared }: Props & { asked: Asked<'room'> }) {
  const { session } = useAppContext()
  const { value } = useCall(room, () =>
    session.pipe.call('inventory.places', { asked: { nodes: room === null ? [] : [room] }, limit: 1 }),
  )
  if (room === null) return <RoomForm {...shared} tenant={tenant} known={null} site={site} />
  const known = value?.ok === true ? knownRoom(tenant, value.value.places) : null
  if (known !== null) return <RoomForm {...shared} tenant={tenant} known={known} site={null} />
  return (
    <ActionFrame title="Edit the room" onDone={shared.onDone}>
      <p role="status" className="sheet-waiting">
        {value === null ? 'Loading…' : value.ok ? 'This room is no longer listed.' : ''}
      </p>
      <FaultNote fault={value?.ok === false ? value.fault : null} />
      <div className="dialog-actions">
        <Button className="button" onPress={shared.onDone}>
          Cancel
        </Button>
      </div>
    </ActionFrame>
  )
}

interface RoomFormProps extends Props {
  tenant: string
  known: KnownRoom | null
  /** The site of a new room. */
  site: NamedRef | null
}

function RoomForm({ tenant, known, site, ...shared }: RoomFormProps) {
  const [draft, setDraft] = useState(known ?? newRoom(site))
  const problems = { capacity: capacityProblem(draft.capacity), size: sizeProblem(draft.size, known) }
  const changed = known === null || isChanged(draft, known)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  return (
    <PlaceForm
      {...shared}
      title={known === null ? 'New room' : 'Edit the room'}
      tenant={tenant}
      ready={changed && draft.name.trim() !== '' && problems.capacity === '' && problems.size === ''}
      request={() => roomRequest(tenant, draft, known)}
    >
      <Name value={draft.name} onChange={(name) => change({ name })} />
      <PlaceSearch
        label="Site"
        kind="site"
        tenant={tenant}
        site={null}
        value={draft.site}
        // A room that has a site cannot be sent without one.
        none={known === null || known.site === null ? 'No site' : null}
        onChange={(into) => change({ site: into })}
      />
      <RoomFields draft={draft} problems={problems} onChange={change} />
    </PlaceForm>
  )
}

interface FormProps extends Props {
  title: string
  tenant: string
  /** True when there is something to send. */
  ready: boolean
  request: () => ActionRequest
  children: ReactNode
}

/** The frame of a place's form: its tenant and lock, faults, and the button that sends it. */
function PlaceForm({ title, tenant: key, ready, request, children, coreLost, onDone }: FormProps) {
  const { deviceActions } = useAppContext()
  const [arming, setArming] = useState(false)
  const { busy, fault, save } = useSave(onDone)
  const tenant = useStore(deviceActions.state, (state) => state?.tenants.find((each) => each.tenant === key))
  const locked = tenant?.armedUntil == null
  const disabled = !ready || locked || busy || coreLost
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled) void save(request())
  }
  return (
    <ActionFrame title={title} onDone={onDone}>
      <form className="form" noValidate onSubmit={submit}>
        <p className="hint">
          In <Isolated>{tenant?.name}</Isolated>. Saving writes it to the service.
        </p>
        {locked && <LockedNote name={tenant?.name ?? ''} coreLost={coreLost} onArm={() => setArming(true)} />}
        {children}
        <FaultNote fault={fault} />
        <div className="dialog-actions">
          <Button className="button" onPress={onDone}>
            Cancel
          </Button>
          <Button className="button primary" type="submit" isDisabled={disabled}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
      {arming && <ArmDialog tenants={[key]} coreLost={coreLost} onDone={() => setArming(false)} />}
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
