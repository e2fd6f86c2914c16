import { CircleHelp, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import icon from '../../assets/icon.svg'
import type { AppState } from '../session.ts'
import { TellingsBell } from '../tellings/bell.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useOther } from './use-other.ts'
import type { Refresh } from './use-refresh.ts'

export function Header({ app, blind, refresh, onKeys }: { app: AppState; blind: boolean; refresh: Refresh; onKeys: () => void }) {
  return (
    <header className="header">
      <img src={icon} width="20" height="20" alt="" />
      <span className="brand">Muster</span>
      {app.demo && <span className="demo"><strong>DEMO</strong><span className="demo-text"> This fleet is made up. It runs on this machine only.</span></span>}
      {app.demo && app.can.startOther && <OwnService />}
      <span className="spring" />
      {app.connections.length > 0 && <RefreshButton disabled={blind} refresh={refresh} />}
      <TellingsBell tellings={app.tellings} blind={blind} />
      <IconButton label="List of keys (?)" onPress={onKeys}><CircleHelp size={16} aria-hidden /></IconButton>
    </header>
  )
}

/** Its progress shows in the status bar; here only that it was asked for. */
function RefreshButton({ disabled, refresh }: { disabled: boolean; refresh: Refresh }) {
  const [asking, setAsking] = useState(false)
  const read = () => {
    setAsking(true)
    void refresh.read('all').then(() => setAsking(false))
  }
  return <Button className="button quiet" isDisabled={disabled || asking} onPress={read}><RotateCw size={14} aria-hidden />Refresh</Button>
}

/** From the demo to one's own: a second Muster, whose profile the demo never touches. */
function OwnService() {
  const { started, start } = useOther()
  return <Button className="button quiet" isDisabled={started} onPress={start}>{started ? 'Muster opens…' : 'Connect your service'}</Button>
}
