import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import icon from '../../assets/icon.svg'
import type { PipeState } from '../lib/pipe/web-pipe.ts'
import { useStore, type Store } from '../lib/store.ts'

/** The application for a signed-in window; otherwise the steps to sign in. */
export function Entrance({ signInState, children }: { signInState: Store<PipeState>; children: ReactNode }) {
  const now = useStore(signInState)
  if (now === 'out') return <SignedOut />
  return (
    <>
      {now === 'stranger' && <OtherProgram />}
      {children}
    </>
  )
}

function SignedOut() {
  return (
    <main className="welcome" role="status">
      <img src={icon} width="44" height="44" alt="" />
      <h1>This tab is not signed in</h1>
      <p>
        Run <code>npm start</code> again: it opens Muster in a new tab, and prints an address with a new key, which
        works once and can also be opened here. Or reload this tab while Muster is open in another tab of this browser,
        and visible there.
      </p>
    </main>
  )
}

/** Says that another program answers at this address. The data that was read stays on the screen, with its age. */
function OtherProgram() {
  return (
    <div className="bar bar-faults other-program" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <span>
        <strong>Another program answers at this address.</strong> Nothing was sent to it. Run <code>npm start</code>{' '}
        again: it opens Muster where it is now.
      </span>
    </div>
  )
}

/** The fallback after a rendering error. The core keeps running, and a reload renders the window again. */
export function Broken({ name }: { name: string }) {
  return (
    <div className="broken" role="alert">
      <h1>The window could not be drawn.</h1>
      <p>Muster itself keeps running: it syncs, receives events and records them. Load the window again to see it.</p>
      <p className="muted-text">{name}</p>
      <button type="button" className="button primary" onClick={() => window.location.reload()}>
        Load again
      </button>
    </div>
  )
}
