import { Pencil, RotateCw, Trash2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../src-shared/fault.ts'
import type { ConnectionState } from '../../src-shared/model.ts'
import type { AppState } from '../session.ts'
import { LinkMark } from '../status/bar.tsx'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { Age } from '../ui/moment.tsx'
import { linksTone, linkWords, syncWords } from '../words/link.ts'
import { secretWords } from './words.ts'

interface Props {
  connection: ConnectionState
  keychain: AppState['keychain']
  blind: boolean
  onEdit: () => void
  onRemove: () => void
}

export function ConnectionCard({ connection, keychain, blind, onEdit, onRemove }: Props) {
  const { session } = useSurroundings()
  const { id, name, demo } = connection
  const heading = `connection-${id}`
  return (
    <li className="card" aria-labelledby={heading}>
      <header className="card-head">
        <h2 id={heading}><bdi className="clip" title={name}>{name}</bdi>{demo && <span className="tag">DEMO</span>}</h2>
        <LinkLine connection={connection} blind={blind} />
        <span className="spring" />
        <Button className="button" isDisabled={blind} aria-label={`Retry ${name} now`} onPress={() => void session.pipe.call('connections.retry', { id })}><RotateCw size={14} aria-hidden />Retry now</Button>
        {!demo && <Button className="button" isDisabled={blind} aria-label={`Edit ${name}`} onPress={onEdit}><Pencil size={14} aria-hidden />Edit</Button>}
        {!demo && <Button className="button" isDisabled={blind} aria-label={`Remove ${name}`} onPress={onRemove}><Trash2 size={14} aria-hidden />Remove</Button>}
      </header>
      <Faults faults={connection.faults} />
      <Facts connection={connection} keychain={keychain} />
    </li>
  )
}

function LinkLine({ connection, blind }: Pick<Props, 'connection' | 'blind'>) {
  const words = useWords((now) => (blind ? 'Not known' : linkWords(connection.link, now)))
  return <span className="card-link"><LinkMark tone={blind ? 'none' : linksTone([connection])} />{words}</span>
}

function Faults({ faults }: Pick<ConnectionState, 'faults'>) {
  if (faults.length === 0) return null
  return (
    <ul className="faults">
      {faults.map(({ where, fault, at }) => (
        <li key={`${where} ${fault.kind} ${fault.detail}`}>
          <TriangleAlert size={15} aria-hidden />
          <div>
            <p><strong>{explain(fault).title}</strong> {explain(fault).advice}</p>
            <p className="particulars">{where !== '' && <><bdi>{where}</bdi> · </>}{fault.detail !== '' && <><bdi>{fault.detail}</bdi> · </>}<Age at={at} /></p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Facts({ connection, keychain }: Pick<Props, 'connection' | 'keychain'>) {
  const { sync, lastEventAt, lastReadingAt, tokenUrl, graphqlUrl, subscriptionUrl, clientId, hasCa, hasSubscription } = connection
  const reading = useWords((now) => syncWords(sync, now))
  return (
    <dl className="facts">
      <Fact name="Last event"><Age at={lastEventAt} none="none yet" /></Fact>
      <Fact name="Last full reading"><Age at={lastReadingAt} none="none yet" />{reading !== '' && `. ${reading}`}</Fact>
      <Fact name="Client secret">{secretWords(connection, keychain)}</Fact>
      <Fact name="Client id"><bdi className="mono">{clientId}</bdi></Fact>
      <Fact name="Token address"><bdi className="mono">{tokenUrl}</bdi></Fact>
      <Fact name="GraphQL address"><bdi className="mono">{graphqlUrl}</bdi></Fact>
      <Fact name="Subscription address"><bdi className="mono">{subscriptionUrl}</bdi></Fact>
      <Fact name="Trust">{!hasCa ? 'What this computer trusts' : 'What this computer trusts, and the connection’s own CA certificate'}</Fact>
      {hasSubscription && <Fact name="Live stream">A subscription document of its own</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}
