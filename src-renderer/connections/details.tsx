import {
  BookOpen,
  FlaskConical,
  Pause,
  Pencil,
  Play,
  RotateCw,
  TableProperties,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { isolated } from '../../src-shared/text/direction.ts'
import type { DatedAccess } from '../../src-shared/model/access.ts'
import { explain, type Fault } from '../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { AppState } from '../lib/session.ts'
import { useSettings } from '../settings/use-settings.ts'
import { ConnectionMark } from '../lib/ui/connection-mark.tsx'
import { usePausedByOperator } from '../app/status/use-paused-by-operator.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { afterFrames } from '../lib/ui/focus.ts'
import { Fact } from '../lib/ui/fact.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Age } from '../lib/ui/moment.tsx'
import { connectionText, connectionsTone, syncText } from '../lib/format/connection-status.ts'
import { monitoringLostText, canRetry } from '../lib/format/faults.ts'
import { Legs } from './form/legs.tsx'
import { useTest } from './form/test.ts'
import { accessText, adviceText } from '../../src-shared/text/access.ts'
import type { PlaceDirectory } from '../../src-shared/model/place-directory.ts'
import { placeDirectoryText } from '../../src-shared/text/place-directory.ts'
import { showOffers } from '../query/offers/offers-state.ts'
import { useInTeam } from '../team/use-in-team.ts'
import { secretText } from './format.ts'
import { PauseDialog } from './pause-dialog.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'

interface Props {
  connection: ConnectionState
  keychain: AppState['keychain']
  coreLost: boolean
  /** True when it must take the focus, because the element that had it is gone or about to be. */
  arriving: boolean
  onArrived: () => void
  onDevices: () => void
  onEdit: () => void
  onRemove: () => void
}

/** The details of one connection, and its actions. */
export function ConnectionDetails(props: Props) {
  const { connection, keychain, coreLost, arriving, onArrived } = props
  const { name, demo } = connection
  const test = useTest()
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!arriving) return undefined
    return afterFrames(() => {
      ;(region.current?.querySelector<HTMLElement>('[data-devices]') ?? region.current)?.focus()
      onArrived()
    })
  }, [arriving, onArrived])
  return (
    <section className="connection-detail" id="connection" ref={region} tabIndex={-1} aria-label="Connection">
      <header className="connection-head">
        <h2>
          <Isolated title={name}>{name}</Isolated>
          {demo && <span className="tag">DEMO</span>}
        </h2>
        <ConnectionLine connection={connection} coreLost={coreLost} />
      </header>
      <ActionList {...props} testing={test.state === 'busy'} onTest={() => void test.run(connection.id)} />
      <Faults faults={connection.faults} access={connection.access} />
      <Legs test={test} />
      <Facts connection={connection} keychain={keychain} />
    </section>
  )
}

function ActionList({
  connection,
  coreLost,
  testing,
  onDevices,
  onEdit,
  onRemove,
  onTest,
}: Props & { testing: boolean; onTest: () => void }) {
  const { session } = useAppContext()
  const inTeam = useInTeam()
  const [fault, setFault] = useState<Fault | null>(null)
  const [isAsked, setAsked] = useState(false)
  const { id, name, demo, paused } = connection
  const call = async (act: 'connections.retry' | 'connections.pause') => {
    const answer =
      act === 'connections.retry'
        ? await session.pipe.call(act, { id })
        : await session.pipe.call(act, { id, paused: !paused })
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <>
      <div className="actions" role="group" aria-label="Actions">
        <Button className="button primary" data-devices onPress={onDevices}>
          <TableProperties size={14} aria-hidden />
          Show devices
        </Button>
        <Button className="button" aria-label={`What it offers: ${isolated(name)}`} onPress={() => showOffers(id)}>
          <BookOpen size={14} aria-hidden />
          What it offers
        </Button>
        <PauseButton
          connection={connection}
          coreLost={coreLost}
          onPress={() => (inTeam && !paused ? setAsked(true) : void call('connections.pause'))}
        />
        {canRetry(connection) && (
          <Button
            className="button"
            isDisabled={coreLost}
            aria-label={`Retry ${isolated(name)} now`}
            onPress={() => void call('connections.retry')}
          >
            <RotateCw size={14} aria-hidden />
            Retry now
          </Button>
        )}
        {!demo && (
          <OwnActions
            name={name}
            coreLost={coreLost}
            testing={testing}
            onTest={onTest}
            onEdit={onEdit}
            onRemove={onRemove}
          />
        )}
      </div>
      <FaultNote fault={fault} />
      {isAsked && <PauseDialog connection={connection} coreLost={coreLost} onDone={() => setAsked(false)} />}
    </>
  )
}

function PauseButton({
  connection: { name, paused },
  coreLost,
  onPress,
}: Pick<Props, 'connection' | 'coreLost'> & { onPress: () => void }) {
  return (
    <Button
      className="button"
      isDisabled={coreLost}
      aria-label={`${paused ? 'Resume' : 'Pause'} ${isolated(name)}`}
      onPress={onPress}
    >
      {paused ? (
        <>
          <Play size={14} aria-hidden />
          Resume
        </>
      ) : (
        <>
          <Pause size={14} aria-hidden />
          Pause
        </>
      )}
    </Button>
  )
}

interface OwnActionsProps extends Pick<Props, 'coreLost' | 'onEdit' | 'onRemove'> {
  name: string
  testing: boolean
  onTest: () => void
}

/** The actions of a connection that the operator created. The demo's connection has none. */
function OwnActions({ name, coreLost, testing, onTest, onEdit, onRemove }: OwnActionsProps) {
  return (
    <>
      <Button
        className="button"
        isDisabled={coreLost}
        isPending={testing}
        aria-label={`Test ${isolated(name)}`}
        onPress={onTest}
      >
        <FlaskConical size={14} aria-hidden />
        {testing ? 'Testing…' : 'Test'}
      </Button>
      <Button className="button" isDisabled={coreLost} aria-label={`Edit ${isolated(name)}`} onPress={onEdit}>
        <Pencil size={14} aria-hidden />
        Edit
      </Button>
      <Button className="button" isDisabled={coreLost} aria-label={`Remove ${isolated(name)}`} onPress={onRemove}>
        <Trash2 size={14} aria-hidden />
        Remove
      </Button>
    </>
  )
}

function ConnectionLine({ connection, coreLost }: Pick<Props, 'connection' | 'coreLost'>) {
  const { times } = useSettings()
  const words = useTickedText((now) => (coreLost ? 'Not known' : connectionText(connection, now)))
  const since = useTickedText((now) =>
    coreLost ? '' : connection.paused ? pauseNote : monitoringLostText(connection, now, times),
  )
  return (
    <>
      <p className="connection-status">
        <ConnectionMark tone={coreLost ? 'none' : connectionsTone([connection])} />
        {words}
      </p>
      {since !== '' && <p className="muted-text">{since}</p>}
    </>
  )
}

const pauseNote = 'It does not sync or stream until you resume it. Devices that only it sees are unknown.'

function Faults({ faults, access }: Pick<ConnectionState, 'faults' | 'access'>) {
  if (faults.length === 0) return null
  return (
    <ul className="faults" aria-label="Errors">
      {faults.map(({ where, fault, at }) => (
        <li key={`${where} ${fault.kind} ${fault.detail}`}>
          <TriangleAlert size={15} aria-hidden />
          <div>
            <p>
              <strong>{explain(fault).title}</strong> {adviceText(fault, at, access)}
            </p>
            <p className="fault-detail">
              {where !== '' && fault.kind !== 'no-secret' && (
                <>
                  <Isolated>{where}</Isolated> ·{' '}
                </>
              )}
              {fault.detail !== '' && (
                <>
                  <Isolated>{fault.detail}</Isolated> ·{' '}
                </>
              )}
              <Age at={at} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Facts({ connection, keychain }: Pick<Props, 'connection' | 'keychain'>) {
  const {
    sync,
    lastEventAt,
    lastReadingAt,
    heardAt,
    tokenUrl,
    graphqlUrl,
    subscriptionUrl,
    clientId,
    hasCa,
    hasSubscription,
    portal,
    paused,
    access,
    places,
    readBy,
  } = connection
  const waits = usePausedByOperator(connection)
  const reading = useTickedText((now) => (paused ? '' : syncText(sync, now, waits)))
  return (
    <dl className="facts">
      {readBy !== undefined && (
        <Fact name="Read by">
          <Isolated>{readBy}</Isolated>
        </Fact>
      )}
      <Fact name="Last response">
        <Age at={heardAt} none="not yet" />
      </Fact>
      <Fact name="Last event">
        <Age at={lastEventAt} none="none yet" />
      </Fact>
      <Fact name="Last sync">
        <Age at={lastReadingAt} none="none yet" />
        {reading !== '' && <>. {reading}</>}
      </Fact>
      <Fact name="Client secret">{secretText(connection, keychain)}</Fact>
      <Fact name="Client id">
        <Isolated className="mono">{clientId}</Isolated>
        {access !== undefined && access.name !== '' && (
          <>
            {' '}
            (<Isolated>{access.name}</Isolated>)
          </>
        )}
      </Fact>
      {access !== undefined && <RoleFact access={access} />}
      {places !== undefined && <PlacesFact places={places} />}
      <Fact name="Token URL">
        <Isolated className="mono">{tokenUrl}</Isolated>
      </Fact>
      <Fact name="GraphQL URL">
        <Isolated className="mono">{graphqlUrl}</Isolated>
      </Fact>
      <Fact name="Subscription URL">
        <Isolated className="mono">{subscriptionUrl}</Isolated>
      </Fact>
      <Fact name="Device page">
        {portal === '' ? <span className="absent">None</span> : <Isolated className="mono">{portal}</Isolated>}
      </Fact>
      <Fact name="Trust">
        {hasCa ? 'System trust store and the connection’s CA certificate' : 'System trust store'}
      </Fact>
      {hasSubscription && <Fact name="Live stream">Custom subscription document</Fact>}
    </dl>
  )
}

/** The role and scope of the credential set, with the age of what the service told. */
function RoleFact({ access }: { access: DatedAccess }) {
  const text = accessText(access)
  if (text === '') return null
  return (
    <Fact name="Role">
      <Isolated>{text}</Isolated> · <Age at={access.readAt} />
    </Fact>
  )
}

/** What the service lists of accounts, sites and rooms, with the age of the list. */
function PlacesFact({ places }: { places: PlaceDirectory }) {
  return (
    <Fact name="Places">
      {placeDirectoryText(places)}
      {places.state === 'read' && (
        <>
          {' '}
          · <Age at={places.readAt} />
        </>
      )}
    </Fact>
  )
}
