import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { FaultNote } from './fault-note.tsx'

interface Props {
  /** Shown while it is loading. */
  loading: string
  fault: Fault | null
  onCancel: () => void
  onAgain: () => void
}

/** Shown in a dialog instead of its form: it is loading, or `fault` says why that failed. */
export function FormNotLoaded({ loading, fault, onCancel, onAgain }: Props) {
  return (
    <>
      <p role="status">{fault === null && loading}</p>
      <FaultNote fault={fault} />
      <div className="dialog-actions">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog has nothing else yet */}
        <Button className="button" autoFocus onPress={onCancel}>
          Cancel
        </Button>
        {fault !== null && (
          <Button className="button primary" onPress={onAgain}>
            Try again
          </Button>
        )}
      </div>
    </>
  )
}
