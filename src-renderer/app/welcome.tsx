import { Cable, Play, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import icon from '../../assets/icon.svg'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { useOther } from './use-other.ts'

/** The first screen of a profile without connections. */
export function Welcome({ canDemo, onAdd, onImport }: { canDemo: boolean; onAdd: () => void; onImport: () => void }) {
  return (
    <div className="welcome">
      <img src={icon} width="44" height="44" alt="" />
      <h1>Connect to your device service</h1>
      <p>
        Muster syncs your fleet to this computer and shows within seconds when a device goes offline. It needs the
        service’s three URLs and a client id with its secret.
      </p>
      <div className="welcome-actions">
        <Button className="button primary" onPress={onAdd}>
          <Cable size={15} aria-hidden />
          Add a connection
        </Button>
        <Button className="button" onPress={onImport}>
          <Upload size={15} aria-hidden />
          Import a list
        </Button>
      </div>
      {canDemo ? (
        <Demo />
      ) : (
        <p className="welcome-note">
          No service at hand? Start Muster without <code>--no-demo</code> to see it with a made-up fleet.
        </p>
      )}
    </div>
  )
}

/** Offers the demo, a second Muster with an invented fleet and its own profile. */
function Demo() {
  const other = useOther()
  return (
    <div className="welcome-note">
      <p>
        No service at hand? See Muster with a made-up fleet. It runs on this computer only, and is separate from your
        connections.
      </p>
      <Button className="button subtle" isDisabled={other.started} onPress={() => other.start()}>
        <Play size={14} aria-hidden />
        {other.started ? 'The demo opens…' : 'Open the demo'}
      </Button>
      <FaultNote fault={other.fault} />
    </div>
  )
}

/** Shown before the core's first answer. It reports no problem during the first 1.5 s. */
export function NotReached() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 1500)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main className="welcome" role="status">
      <img src={icon} width="44" height="44" alt="" />
      <h1>{late ? 'Muster’s core is not running' : 'Muster'}</h1>
      <p>{late ? 'Start Muster again. This page connects by itself.' : 'Connecting to Muster’s core…'}</p>
    </main>
  )
}
