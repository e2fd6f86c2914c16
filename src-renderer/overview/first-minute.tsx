import { Cable, Eye, Upload } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useOther } from '../app/use-other.ts'
import { createStore, useStore } from '../lib/store.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { afterFrames } from '../lib/ui/focus.ts'

/** The operator looks around the demo: its greeting is not shown again by this window. */
const isLookingAround = createStore(false)

/** Greets in the demo: says what is made up, and leads to the operator's own service. */
export function FirstMinute({ canStartOther }: { canStartOther: boolean }) {
  const { started, fault, start } = useOther()
  if (useStore(isLookingAround)) return null
  const lookAround = () => {
    isLookingAround.set(true)
    afterFrames(() => document.getElementById('overview')?.focus())
  }
  return (
    <section className="first-minute" aria-label="Demo">
      <div className="first-minute-text">
        <h2>This is a demo</h2>
        <p>
          The devices are made up by a service on this computer, and so is everything before this Muster’s first start:
          half a year of outages, with the incidents of its last two weeks. What happens from now on is seen live.
        </p>
      </div>
      <div className="first-minute-actions">
        <Button className="button primary" onPress={lookAround}>
          <Eye size={15} aria-hidden />
          Look around
        </Button>
        {canStartOther && (
          <>
            <Button className="button" isDisabled={started} onPress={() => start('connection')}>
              <Cable size={15} aria-hidden />
              {started ? 'Muster opens…' : 'Connect your service'}
            </Button>
            <Button className="button" isDisabled={started} onPress={() => start('import')}>
              <Upload size={15} aria-hidden />
              Import customers
            </Button>
          </>
        )}
      </div>
      <FaultNote fault={fault} />
    </section>
  )
}
