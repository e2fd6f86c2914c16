import { Eye, X } from 'lucide-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { ToggleButton } from 'react-aria-components'
import { explain } from '../../src-shared/fault.ts'
import type { ConnectionState, DeviceDetail, DeviceRow, Transition } from '../../src-shared/model.ts'
import { Availability } from '../availability/strip.tsx'
import { DeviceQuiet } from '../quiet/mark.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Age, Moment } from '../ui/moment.tsx'
import { Part } from '../ui/part.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { statusSentence, transitionTime } from '../words/device.ts'
import { isBlind } from '../words/link.ts'
import { fullTime } from '../words/time.ts'
import type { Inventory } from './inventory.ts'
import { NameText } from './name-text.tsx'
import { useWatch } from './watch.ts'

interface Props {
  inventory: Inventory
  blind: boolean
  ref: Ref<HTMLElement>
  /** Closed by the operator: the focus wants to go back to the rows. */
  onClose: () => void
}

/** Everything known of one device. */
export function DetailPane({ inventory, blind, ref, onClose }: Props) {
  const shown = useStore(inventory.detail.state)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the pane from anywhere within
    <section className="detail" id="detail" ref={ref} tabIndex={-1} aria-label="Device" aria-busy={shown.state === 'loading'} onKeyDown={onKeyDown}>
      <div className="detail-close"><IconButton label="Close the device (Esc)" onPress={onClose}><X size={15} aria-hidden /></IconButton></div>
      {shown.state === 'loading' && <p className="detail-note">Loading…</p>}
      {shown.state === 'gone' && <p className="detail-note">{shown.seen ? 'This device is no longer in the estate.' : 'This Muster does not know this device. It may have left the estate, or the connection that sees it is missing here.'}</p>}
      {shown.state === 'failed' && <p className="detail-note">{explain(shown.fault).title} {explain(shown.fault).advice}</p>}
      {shown.state === 'shown' && <Device detail={shown.detail} blind={blind} />}
    </section>
  )
}

function Device({ detail, blind }: { detail: DeviceDetail; blind: boolean }) {
  const { row, extra, transitions, connections } = detail
  const status = blind ? 'unknown' : row.status
  const { times } = useSettings()
  const sentence = useWords((now) => statusSentence(row, blind, now, times))
  return (
    <>
      <header className="detail-head">
        <h2><NameText name={row.name} /><CopyButton text={row.name} what="name" /></h2>
        <p className={`sentence status-${status}`}><StatusMark status={status} /><span>{sentence}</span></p>
        <p className="reading">The service last spoke of it <Age at={row.seenAt} />.</p>
        <DeviceQuiet row={row} />
        <div className="detail-marks"><Watch device={row.key} /><LinkButton link={{ to: 'device', key: row.key }} /></div>
      </header>
      <Part title="Place"><Place row={row} /></Part>
      <Part title="Seen by"><SeenBy ids={connections} blind={blind} /></Part>
      <Part title="Last 24 hours"><Availability key={row.key} subject={{ device: row.key }} seen={row.since?.at ?? row.status} names={day} /></Part>
      <Part title="Fields"><Fields row={row} extra={extra} /></Part>
      <Part title="Transitions"><Transitions transitions={transitions} /></Part>
    </>
  )
}

/** Here the day is enough; an incident has the longer ones. */
const day = ['24 h'] as const

/** On the watch list: read before all others when Muster sees again. */
function Watch({ device }: { device: string }) {
  const { watched, watch } = useWatch(device)
  return (
    <ToggleButton className="button toggle detail-watch" isSelected={watched} onChange={watch}>
      <Eye size={14} aria-hidden />{watched ? 'On the watch list' : 'Watch'}
    </ToggleButton>
  )
}

function Place({ row }: { row: DeviceRow }) {
  const steps = [row.tenant.region ?? 'No region', row.tenant.name, row.site?.name ?? 'No site', row.room?.name ?? 'No room']
  return <ol className="place">{steps.map((step, index) => <li key={index}><NameText name={step} /></li>)}</ol>
}

/** The connections whose readings bring the device; `blind`: none of them can be asked how it stands. */
function SeenBy({ ids, blind }: { ids: readonly string[]; blind: boolean }) {
  const { session } = useSurroundings()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? none
  const seeing = connections.filter(({ id }) => ids.includes(id))
  if (seeing.length === 0) return <p className="detail-note">No connection sees it now.</p>
  return (
    <ul className="seen-by">
      {seeing.map((connection) => (
        <li key={connection.id}>
          <bdi>{connection.name}</bdi>{' '}
          {(blind || isBlind(connection)) && <span className="absent">{connection.paused ? 'not now: paused' : 'not now'}</span>}
        </li>
      ))}
    </ul>
  )
}

const none: readonly ConnectionState[] = []

function Fields({ row, extra }: Pick<DeviceDetail, 'row' | 'extra'>) {
  return (
    <dl className="fields">
      <Field name="id" text={row.id}><bdi className="mono">{row.id}</bdi></Field>
      <Field name="name" text={row.name}><NameText name={row.name} /></Field>
      <Field name="hardwareModel" text={row.hardwareModel}><bdi>{row.hardwareModel}</bdi></Field>
      <Field name="connected" text={row.connected === null ? '' : String(row.connected)}>{row.connected === null ? <span className="absent">not said</span> : <span className="mono">{String(row.connected)}</span>}</Field>
      <Field name="lastDetected" text={timeText(row.lastDetected)}><Stamp at={row.lastDetected} /></Field>
      <Field name="lastConfigRequestDate" text={timeText(row.lastConfigRequestDate)}><Stamp at={row.lastConfigRequestDate} /></Field>
      <Field name="site" text={row.site?.name ?? ''}>{row.site === null ? <span className="absent">none</span> : <NameText name={row.site.name} />}</Field>
      <Field name="room" text={row.room?.name ?? ''}>{row.room === null ? <span className="absent">none</span> : <NameText name={row.room.name} />}</Field>
      <Field name="tenant" text={row.tenant.name}><NameText name={row.tenant.name} /></Field>
      <Field name="region" text={row.tenant.region ?? ''}>{row.tenant.region === null ? <span className="absent">not said</span> : <bdi>{row.tenant.region}</bdi>}</Field>
      {extra.map(({ name, value }) => <Field key={name} name={name} text={value}><bdi>{value}</bdi></Field>)}
    </dl>
  )
}

/** `text` is what the button beside the value copies; without one there is no button. */
function Field({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return <div className="field-line"><dt title={name}>{name}</dt><dd>{children}{text !== '' && <CopyButton text={text} what={name} />}</dd></div>
}

/** As an export writes it: ISO 8601 in UTC. */
const timeText = (at: number | null) => (at === null ? '' : new Date(at).toISOString())

function Stamp({ at }: { at: number | null }) {
  if (at === null) return <span className="absent">not said</span>
  return <span className="stamp"><Moment at={at} /><Age at={at} /></span>
}

function Transitions({ transitions }: { transitions: readonly Transition[] }) {
  if (transitions.length === 0) return <p className="detail-note">None seen yet. Muster enters each change that it sees from here on.</p>
  return <ol className="transitions">{transitions.map((transition) => <TransitionLine key={`${transition.at} ${transition.connected}`} transition={transition} />)}</ol>
}

function TransitionLine({ transition }: { transition: Transition }) {
  const { times } = useSettings()
  const words = useWords((now) => transitionTime(transition, now, times))
  const { connected, notBefore, at } = transition
  const title = notBefore === null ? fullTime(at, times) : `Not seen live: between ${fullTime(notBefore, times)} and ${fullTime(at, times)}`
  return (
    <li>
      <StatusMark status={connected ? 'connected' : 'disconnected'} />
      <span className="transition-word">{connected ? 'Online' : 'Offline'}</span>{' '}
      <span className="transition-time" title={title}>{words}</span>
    </li>
  )
}
