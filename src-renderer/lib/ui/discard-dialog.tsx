import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Question } from './question.tsx'

export interface Leaving {
  /** True while the question is shown. */
  asking: boolean
  /** Closes a dialog without input; asks first when it has some. */
  leave(): void
  stay(): void
  discard(): void
}

/** Handles leaving a dialog that may have input. `holds` is called at that moment. */
export function useLeaving(holds: () => boolean, onDone: () => void): Leaving {
  const [asking, setAsking] = useState(false)
  return {
    asking,
    leave: () => (holds() ? setAsking(true) : onDone()),
    stay: () => setAsking(false),
    discard: onDone,
  }
}

/** A question over the dialog to be left. When the dialog stays, the focus returns to where it was. */
export function LeaveDialog({ what, leaving }: { what: string; leaving: Leaving }) {
  return (
    <Question
      title="Discard it?"
      keep="Go back"
      onKeep={leaving.stay}
      act={
        <Button className="button danger" onPress={leaving.discard}>
          Discard
        </Button>
      }
    >
      <p>{what}</p>
    </Question>
  )
}
