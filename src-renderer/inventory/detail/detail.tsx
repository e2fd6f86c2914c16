import { Eye, X } from 'lucide-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { ToggleButton } from 'react-aria-components'
import { textFields, timeFields } from '../../../src-shared/model/base-fields.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { DeviceDetail, DeviceRow, Transition } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { Availability } from '../../incidents/availability/strip.tsx'
import { ActionMenu } from '../../actions/entries/action-menu.tsx'
import { DeviceMaintenance } from '../../policies/maintenance/mark.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { LazyPart } from '../../lib/lazy-parts.tsx'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { CopyButton } from '../../lib/ui/buttons/copy-button.tsx'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { LinkButton } from '../../lib/ui/buttons/link-button.tsx'
import { Age, Moment } from '../../lib/ui/moment.tsx'
import { Part } from '../../lib/ui/part.tsx'
import { DelayLeft } from '../delay.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { statusSentence, transitionTime } from '../../lib/format/device.ts'
import { isMonitoringLost } from '../../lib/format/connection-status.ts'
import { roomFactsText } from '../../lib/format/room-facts.ts'
import { suggestionText, placeName } from '../../lib/format/suggested.ts'
import { fullTime } from '../../lib/format/time.ts'
import { fieldLabels } from '../columns/labels.ts'
import type { Inventory } from '../inventory.ts'
import { ClockNote } from './clock-note.tsx'
import { DeviceHistory } from './device-history.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { SharedMark } from '../../team/shared-mark.tsx'
import { useWatch } from '../actions/watch.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  inventory: Inventory
  coreLost: boolean
  ref: Ref<HTMLElement>
  /** Called when the operator closes the pane; the focus returns to the rows. */
  onClose: () => void
}

/** The details of one device. */
export function DetailPane({ inventory, coreLost, ref, onClose }: Props) {
  const shown = useStore(inventory.detail.state)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the pane from anywhere within
    <section
      className="detail"
      id="detail"
      ref={ref}
      tabIndex={-1}
      aria-label="Device"
      aria-busy={shown.state === 'loading'}
      onKeyDown={onKeyDown}
    >
      <div className="detail-close">
        <IconButton label="Close the device (Esc)" onPress={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      {shown.state === 'loading' && <p className="detail-note">Loading…</p>}
      {shown.state === 'gone' && (
        <p className="detail-note">
          {shown.seen
            ? 'This device is no longer in the fleet.'
            : 'This Muster does not know this device. It may have left the fleet, or its connection is missing here.'}
        </p>
      )}
      {shown.state === 'failed' && (
        <p className="detail-note">
          {explain(shown.fault).title} {explain(shown.fault).advice}
        </p>
      )}
      {shown.state === 'shown' && <Device detail={shown.detail} coreLost={coreLost} />}
    </section>
  )
}

function Device({ detail, coreLost }: { detail: DeviceDetail; coreLost: boolean }) {
  const { row, extra, transitions, connections, roomFacts } = detail
  return (
    <>
      <Head detail={detail} coreLost={coreLost} />
      <Part title="Site and room">
        <Place row={row} connections={connections} />
        {row.placedAt < row.seenAt && (
          <p className="detail-note">
            Name and place as of <Age at={row.placedAt} />
          </p>
        )}
        {roomFacts !== undefined && <p className="detail-note">{roomFactsText(roomFacts)}</p>}
      </Part>
      <LazyPart
        render={({ Notes }) => (
          <Part title="Note and tags">
            <Notes key={row.key} node={{ id: `d:${row.key}`, name: row.name }} coreLost={coreLost} />
          </Part>
        )}
      />
      <Part title="Connection">
        <ListingConnections ids={connections} coreLost={coreLost} />
      </Part>
      <Part title="Last 24 hours">
        <Availability key={row.key} subject={{ device: row.key }} seen={row.since?.at ?? row.status} names={day} />
      </Part>
      <Part title="Details">
        <Fields row={row} extra={extra} connections={connections} />
      </Part>
      <LazyPart render={({ DeviceJobs }) => <DeviceJobs key={row.key} device={row.key} />} />
      <Part title="Status history">
        <Transitions transitions={transitions} />
      </Part>
      <LazyPart
        render={({ DeviceConfiguration }) => <DeviceConfiguration key={row.key} device={row.key} coreLost={coreLost} />}
      />
      <DeviceHistory row={row} />
    </>
  )
}

function Head({ detail: { row, connections }, coreLost }: { detail: DeviceDetail; coreLost: boolean }) {
  const status = coreLost ? 'unknown' : row.status
  const { times } = useSettings()
  const sentence = useTickedText((now) => statusSentence(row, coreLost, now, times))
  return (
    <header className="detail-head">
      <h2>
        <NameText name={row.name} />
        <CopyButton text={row.name} what="name" />
      </h2>
      <p className={`sentence status-${status}`}>
        <StatusMark status={status} />
        <span>{sentence}</span>
        {!coreLost && <DelayLeft device={row.key} inWords />}
      </p>
      {!coreLost && (
        <LazyPart render={({ DeviceReboot }) => <DeviceReboot key={row.key} device={row.key} status={row.status} />} />
      )}
      <p className="reading">
        Last update <Age at={row.seenAt} />
      </p>
      <ClockNote connections={connections} />
      <DeviceMaintenance row={row} />
      <div className="detail-marks">
        <Watch device={row.key} />
        <LinkButton link={{ to: 'device', key: row.key }} />
        <ActionMenu
          subject={() => ({ targets: { keys: [row.key] }, name: row.name, count: 1 })}
          disabled={coreLost}
          placement="bottom start"
        />
      </div>
    </header>
  )
}

/** Only a day here; an incident has the longer ranges. */
const day = ['24 h'] as const

/** A button for the watch list, whose devices are compared first after lost monitoring. */
export function Watch({ device }: { device: string }) {
  const { watched, watch } = useWatch(device)
  return (
    <div className="watch-choice">
      <ToggleButton className="button toggle detail-watch" isSelected={watched} onChange={watch}>
        <Eye size={14} aria-hidden />
        {watched ? 'On the watch list' : 'Watch'}
      </ToggleButton>
      <SharedMark />
    </div>
  )
}

function Place({ row, connections }: Pick<DeviceDetail, 'row' | 'connections'>) {
  const { session } = useAppContext()
  const all = useStore(session.state, ({ app }) => app?.connections) ?? none
  const absent = (kind: 'site' | 'room', name: string) => placeName({ kind, name, connections: [...connections] }, all)
  const steps = [
    row.tenant.region ?? 'No region',
    row.tenant.name,
    ...(row.account === null ? [] : [row.account.name]),
    row.site?.name ?? absent('site', 'No site'),
    row.room?.name ?? absent('room', 'No room'),
  ]
  return (
    <ol className="place">
      {steps.map((step, index) => (
        <li key={index}>
          <NameText name={step} />
        </li>
      ))}
    </ol>
  )
}

/** The connections that list the device. `coreLost`: their state is unknown. */
function ListingConnections({ ids, coreLost }: { ids: readonly string[]; coreLost: boolean }) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? none
  const listing = connections.filter(({ id }) => ids.includes(id))
  if (listing.length === 0) return <p className="detail-note">No connection sees it now.</p>
  return (
    <ul className="listing-connections">
      {listing.map((connection) => (
        <li key={connection.id}>
          <Isolated>{connection.name}</Isolated>{' '}
          {(coreLost || isMonitoringLost(connection)) && (
            <span className="absent">{connection.paused ? 'not now: paused' : 'not now'}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const none: readonly ConnectionState[] = []

function Fields({ row, extra, connections }: Pick<DeviceDetail, 'row' | 'extra' | 'connections'>) {
  const { session } = useAppContext()
  const all = useStore(session.state, ({ app }) => app?.connections) ?? none
  const listing = all.filter(({ id }) => connections.includes(id))
  /** The text for a missing value: the service does not offer the field, or returned none. */
  const absent = (field: string, text: string) => (
    <span className="absent">{suggestionText(field, listing) || text}</span>
  )
  const older = (field: string) => <Older at={own(row.staleFields ?? {}, field)} />
  return (
    <dl className="fields">
      <Field name="id" text={row.id}>
        <Isolated className="mono">{row.id}</Isolated>
      </Field>
      <Field name="name" text={row.name}>
        <NameText name={row.name} />
      </Field>
      {textFields.map((field) => (
        <Field key={field} name={field} text={row[field]}>
          {row[field] === '' ? absent(field, 'not reported') : <Isolated>{row[field]}</Isolated>}
          {older(field)}
        </Field>
      ))}
      <Field name="connected" text={reported(row)}>
        {row.connected === null ? absent('connected', 'not reported') : reported(row)}
      </Field>
      {timeFields.map((field) => (
        <Field key={field} name={field} text={timeText(row[field])}>
          <ReportedTime at={row[field]} none={absent(field, 'not reported')} />
          {older(field)}
        </Field>
      ))}
      <Field name="site" text={row.site?.name ?? ''}>
        {row.site === null ? absent('site', 'none') : <NameText name={row.site.name} />}
        {older('site')}
      </Field>
      <Field name="room" text={row.room?.name ?? ''}>
        {row.room === null ? absent('room', 'none') : <NameText name={row.room.name} />}
        {older('room')}
      </Field>
      {row.account !== null && (
        <Field name="account" text={row.account.name}>
          <NameText name={row.account.name} />
        </Field>
      )}
      <Field name="tenant" text={row.tenant.name}>
        <NameText name={row.tenant.name} />
      </Field>
      <Field name="region" text={row.tenant.region ?? ''}>
        {row.tenant.region === null ? (
          <span className="absent">not reported</span>
        ) : (
          <Isolated>{row.tenant.region}</Isolated>
        )}
      </Field>
      {extra.map(({ name, value }) => (
        <Field key={name} name={name} text={value}>
          <Isolated>{value}</Isolated>
        </Field>
      ))}
    </dl>
  )
}

function ReportedTime({ at, none }: { at: number | null; none: ReactNode }) {
  return at === null ? none : <Stamp at={at} />
}

/** `text` is what the button beside the value copies; without it there is no button. */
function Field({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  const word = name === 'connected' ? 'Reported status' : fieldLabels(name)
  return (
    <div className="field-line">
      <dt title={`Field “${name}” of the service`}>{word}</dt>
      <dd>
        {children}
        {text !== '' && <CopyButton text={text} what={word} />}
      </dd>
    </div>
  )
}

/** Returns the service's last value, which stays while the device has no data. */
const reported = ({ connected }: DeviceRow) => (connected === null ? '' : connected ? 'online' : 'offline')

/** Returns the time as in an export: ISO 8601 in UTC. */
const timeText = (at: number | null) => (at === null ? '' : new Date(at).toISOString())

/** The age of a value that the service left out of its last answer about the device. */
function Older({ at }: { at: number | undefined }) {
  return at === undefined ? null : (
    <span className="absent">
      {' '}
      as of <Age at={at} />
    </span>
  )
}

function Stamp({ at }: { at: number }) {
  return (
    <span className="stamp">
      <Moment at={at} />
      <Age at={at} />
    </span>
  )
}

function Transitions({ transitions }: { transitions: readonly Transition[] }) {
  if (transitions.length === 0)
    return <p className="detail-note">No status changes yet. Each one is recorded from here on.</p>
  return (
    <ol className="transitions">
      {transitions.map((transition) => (
        <TransitionLine key={`${transition.at} ${transition.connected}`} transition={transition} />
      ))}
    </ol>
  )
}

function TransitionLine({ transition }: { transition: Transition }) {
  const { times } = useSettings()
  const words = useTickedText((now) => transitionTime(transition, now, times))
  const { connected, notBefore, at } = transition
  const title =
    notBefore === null
      ? fullTime(at, times)
      : `Not seen live: between ${fullTime(notBefore, times)} and ${fullTime(at, times)}`
  return (
    <li>
      <StatusMark status={connected ? 'connected' : 'disconnected'} />
      <span className="transition-word">{connected ? 'Online' : 'Offline'}</span>{' '}
      <span className="transition-time" title={title}>
        {words}
      </span>
    </li>
  )
}
