import { Info, Pause, TriangleAlert, X } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { SettingsSection } from '../../../src-shared/navigation/screens.ts'
import type { AppState } from '../../lib/session.ts'
import { showRejection } from '../../settings/change-settings.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import {
  allMonitoringLostText,
  monitoringLostText,
  coreLostText,
  pausedFault,
  faultLines,
  faultsText,
  type FaultLine,
} from '../../lib/format/faults.ts'
import { BarText } from './bar-text.tsx'
import { RemedyButton } from './remedy-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  app: AppState
  /** True when the screen already shows the errors of the connections. */
  isOnConnections: boolean
  onEdit: (id: string) => void
  onShow: () => void
  onSettings: (part?: SettingsSection) => void
}

/**
 * The errors between Muster and the fleet, with their next steps. It is always in the document, so that screen readers
 * announce changes.
 */
export function Banner({ app, isOnConnections, onEdit, onShow, onSettings }: Props) {
  const { session } = useAppContext()
  const reach = useStore(session.state, (state) => state.reach)
  const lost = useTickedText((now) => coreLostText(reach, app.connections, now) ?? '')
  const all = isOnConnections ? [] : faultLines(app.connections, app.banners)
  const [only, second] = all
  return (
    <div role="status">
      {lost !== '' && <CoreLost words={lost} />}
      {lost === '' && only !== undefined && second === undefined && (
        <FaultBanner faults={only} onEdit={onEdit} onSettings={onSettings} />
      )}
      {lost === '' && second !== undefined && <FaultsLine faults={all} connections={app.connections} onShow={onShow} />}
      {lost === '' && !isOnConnections && <PausedLine connections={app.connections} onShow={onShow} />}
    </div>
  )
}

function CoreLost({ words }: { words: string }) {
  return (
    <div className="bar bar-faults">
      <TriangleAlert size={16} aria-hidden />
      <BarText>
        <strong>{words}</strong> Start Muster again. This window stays as it is and connects by itself.
      </BarText>
    </div>
  )
}

function FaultBanner({ faults, onEdit, onSettings }: { faults: FaultLine } & Pick<Props, 'onEdit' | 'onSettings'>) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const {
    connection: { id },
    connection,
  } = faults
  const since = useTickedText((now) => monitoringLostText(connection, now, times))
  return (
    <div className="bar bar-faults">
      <TriangleAlert size={16} aria-hidden />
      <BarText>
        <strong>
          <Isolated className="bar-name" title={faults.who}>
            {faults.who}
          </Isolated>
          : {faults.title}
        </strong>{' '}
        {faults.advice}
        {since !== '' && (
          <>
            {' '}
            <span>{since}</span>
          </>
        )}
        {faults.detail !== '' && (
          <span className="fault-detail">
            {' '}
            <Isolated>{faults.detail}</Isolated>
          </span>
        )}
      </BarText>
      <RemedyButton remedy={faults.remedy} onSettings={onSettings} />
      {faults.act === 'edit' && (
        <Button className="button" onPress={() => onEdit(id)}>
          Edit connection
        </Button>
      )}
      {faults.act !== null && (
        <Button className="button" onPress={() => void session.pipe.call('connections.retry', { id })}>
          Retry now
        </Button>
      )}
    </div>
  )
}

/** Several errors as one line. The connections screen shows each of them in full. */
function FaultsLine({
  faults: all,
  connections,
  onShow,
}: {
  faults: readonly FaultLine[]
  connections: readonly ConnectionState[]
  onShow: () => void
}) {
  const { times } = useSettings()
  const { lead, named, more, why, rest } = faultsText(all, connections)
  const since = useTickedText((now) =>
    allMonitoringLostText(
      all.map(({ connection }) => connection),
      now,
      times,
    ),
  )
  return (
    <div className="bar bar-faults">
      <TriangleAlert size={16} aria-hidden />
      <BarText>
        <strong>{lead}</strong>{' '}
        {named.map(({ who, connection }, index) => (
          <span key={connection.id}>
            {index > 0 && ', '}
            <Isolated className="bar-name" title={who}>
              {who}
            </Isolated>
          </span>
        ))}
        {more}. {[why, since, rest].filter((part) => part !== '').join(' ')}
      </BarText>
      <Button className="button" onPress={onShow}>
        Show them
      </Button>
    </div>
  )
}

/** Says what the operator has paused for as long as it is paused, because the next shift may not know. */
function PausedLine({ connections, onShow }: { connections: readonly ConnectionState[]; onShow: () => void }) {
  const { session, deviceActions } = useAppContext()
  const { times } = useSettings()
  const found = pausedFault(connections)
  const since = useTickedText((now) =>
    found === null
      ? ''
      : found.one === null
        ? allMonitoringLostText(found.paused, now, times)
        : monitoringLostText(found.one, now, times),
  )
  if (found === null) return null
  const { lead, one, paused } = found
  const all = paused.length === connections.length
  const resume = async () => {
    const answers = await Promise.all(
      paused.map(({ id }) => session.pipe.call('connections.pause', { id, paused: false })),
    )
    const answer = answers.find(({ ok }) => !ok) ?? answers[0]
    if (answer !== undefined) showRejection({ deviceActions }, answer)
  }
  return (
    <div className="bar bar-faults">
      <Pause size={16} aria-hidden />
      <BarText>
        <strong>
          <Isolated>{lead}</Isolated>
        </strong>{' '}
        {since !== ''
          ? since
          : one === null
            ? 'They do not sync or stream. Devices that only they see are unknown, not offline.'
            : 'It does not sync or stream. Devices that only it sees are unknown, not offline.'}
      </BarText>
      {one === null && (
        <Button className="button" onPress={onShow}>
          Show them
        </Button>
      )}
      {(one !== null || all) && (
        <Button className="button" onPress={() => void resume()}>
          {one === null ? 'Resume all' : 'Resume'}
        </Button>
      )}
    </div>
  )
}

/** Says why a refresh does not run now, until it runs or the operator dismisses it. */
export function RefreshLine({ words, onDismiss }: { words: string; onDismiss: () => void }) {
  return (
    <div role="status">
      {words !== '' && (
        <div className="bar bar-info">
          <Info size={16} aria-hidden />
          <BarText>{words}</BarText>
          <IconButton label="Dismiss" onPress={onDismiss}>
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  )
}
