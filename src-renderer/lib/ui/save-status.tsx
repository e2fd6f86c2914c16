import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Saved } from '../save-file.ts'
import { FaultNote } from './fault-note.tsx'
import { Isolated } from './isolated.tsx'

/** How far the saving of a file is. `progress`: for example "Saved 2 MB of 8 MB…". */
export type SaveState =
  | { is: 'idle' }
  | { is: 'saving'; progress: string }
  | { is: 'saved'; where: string }
  | { is: 'failed'; fault: Fault }

/** Returns the state after a file was saved (save-file.ts): idle where the operator cancelled. */
export function savedState(done: Saved): SaveState {
  if (!done.ok) return { is: 'failed', fault: done.fault }
  return done.where === null ? { is: 'idle' } : { is: 'saved', where: done.where }
}

/** Says how far it is, where the file is, or why it could not be saved. */
export function SaveStatus({ state }: { state: SaveState }) {
  return (
    <>
      <span role="status" className="muted-text">
        {state.is === 'saving' && state.progress}
        {state.is === 'saved' && (
          <>
            Saved as <Isolated>{state.where}</Isolated>.
          </>
        )}
      </span>
      <FaultNote fault={state.is === 'failed' ? state.fault : null} />
    </>
  )
}
