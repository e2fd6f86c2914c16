import { Pause, Play, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { SharedMark } from '../../team/shared-mark.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'

interface Props {
  /** The core cannot be reached, so nothing can be changed. */
  coreLost: boolean
  onSettings: () => void
}

/** The actions that an operator has on points, for all credential sets. */
export function Activities({ coreLost, onSettings }: Props) {
  const { session } = useAppContext()
  const { backgroundPaused } = useSettings()
  const [fault, setFault] = useState<Fault | null>(null)
  const turn = async () => {
    const answer = await session.change({ backgroundPaused: !backgroundPaused })
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <>
      <div className="gauge-actions">
        <h2>Points</h2>
        <span className="spring" />
        <Button className="button subtle" onPress={onSettings}>
          <SlidersHorizontal size={14} aria-hidden />
          Reserve and limit
        </Button>
        <Button className="button" isDisabled={coreLost} onPress={() => void turn()}>
          {backgroundPaused ? (
            <>
              <Play size={14} aria-hidden />
              Resume background work
            </>
          ) : (
            <>
              <Pause size={14} aria-hidden />
              Pause background work
            </>
          )}
        </Button>
      </div>
      <FaultNote fault={fault} />
      <SharedMark what="Pause, reserve and limit" className="gauge-shared" />
      <div role="status">
        {backgroundPaused && (
          <p className="gauge-paused">
            Background work is paused. Syncs wait until you resume it; your own actions go on.
          </p>
        )}
      </div>
    </>
  )
}
