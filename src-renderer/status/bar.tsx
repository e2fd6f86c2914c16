import { useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import type { ConnectionState } from '../../src-shared/model.ts'
import type { AppState } from '../session.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useWords } from '../ticker.ts'
import { Age } from '../ui/moment.tsx'
import { lastEvent, lastReading, linkWords, linksTone, linksWords, syncsWords } from '../words/link.ts'
import { zone } from '../words/time.ts'
import { Gauges } from './gauge.tsx'

interface Props {
  app: AppState
  blind: boolean
  onConnections: () => void
}

/** How fresh everything above it is. */
export function StatusBar({ app, blind, onConnections }: Props) {
  const { connections, gauges } = app
  const sync = useWords((now) => (blind ? '' : syncsWords(connections, now)))
  return (
    <footer className="status-bar" id="status" tabIndex={-1} aria-label="Status">
      <Links connections={connections} blind={blind} onConnections={onConnections} />
      <span className="status-item">Last event <Age at={lastEvent(connections)} none="none yet" /></span>
      <span className="status-item">Last full reading <Age at={lastReading(connections)} none="none yet" /></span>
      {sync !== '' && <span className="status-item status-sync"><Progress connections={connections} />{sync}</span>}
      <span className="spring" />
      <Gauges gauges={gauges} />
      <Zone />
    </footer>
  )
}

function Zone() {
  const { times } = useSettings()
  const words = useWords((now) => zone(now, times))
  return <span className="status-item status-zone" title="All times on the screen are in this zone"><span className="zone-lead">Times in </span>{words}</span>
}

function Progress({ connections }: { connections: readonly ConnectionState[] }) {
  const known = connections.map(({ sync }) => sync).filter((sync) => sync.state === 'reading')
  const expected = known.reduce((sum, sync) => sum + (sync.expected ?? 0), 0)
  const read = known.reduce((sum, sync) => sum + sync.read, 0)
  if (expected === 0) return null
  return <progress aria-label="Reading of the estate" max={expected} value={read} />
}

function Links({ connections, blind, onConnections }: { connections: readonly ConnectionState[]; blind: boolean; onConnections: () => void }) {
  const words = useWords((now) => (blind ? 'Core not running' : linksWords(connections, now)))
  const tone = blind ? 'none' : linksTone(connections)
  const [open, setOpen] = useState(false)
  const go = () => {
    setOpen(false)
    onConnections()
  }
  return (
    <>
      <span className="sr-only" role="status">Link: {words.replace(/, next try.*/u, '')}</span>
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Button className="status-button" aria-label={`Link: ${words}`}><LinkMark tone={tone} />{words}</Button>
        <Popover className="popover" placement="top start" offset={6}>
          {/* Without a Dialog inside, the popover itself is the dialog, with its hidden dismiss buttons within. */}
          <div className="dialog small">
            <h2>Live links</h2>
            {connections.length === 0 && <p>There is no connection yet.</p>}
            <ul className="link-list">{connections.map((connection) => <LinkLine key={connection.id} connection={connection} blind={blind} />)}</ul>
            <div className="dialog-acts"><Button className="button" onPress={go}>Open Connections</Button></div>
          </div>
        </Popover>
      </DialogTrigger>
    </>
  )
}

function LinkLine({ connection, blind }: { connection: ConnectionState; blind: boolean }) {
  const words = useWords((now) => (blind ? 'Not known' : linkWords(connection.link, now)))
  return <li><LinkMark tone={blind ? 'none' : linksTone([connection])} /><bdi className="clip" title={connection.name}>{connection.name}</bdi><span className="link-state">{words}</span></li>
}

/** Disc: live. Half disc: some of them. Ring: none. */
export function LinkMark({ tone }: { tone: 'good' | 'partly' | 'none' }) {
  return (
    <svg className={`mark link-${tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
      <circle cx="6" cy="6" r="3.8" fill={tone === 'good' ? 'currentColor' : 'none'} stroke="currentColor" strokeWidth="1.5" />
      {tone === 'partly' && <path d="M6 2.2 A3.8 3.8 0 0 0 6 9.8 Z" fill="currentColor" />}
    </svg>
  )
}
