import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { LinkOpening } from '../../../src-shared/model/environment.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'

/** Who opens `muster://` links, where Muster is an AppImage: a person's word, and the end of it in the same place. */
export function LinkOpeningRow({ blind }: { blind: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const head = useRef<HTMLHeadingElement>(null)
  const { value: answer, set } = useCall('', () => session.pipe.call('links.opening', {}))
  const opening = answer?.ok ? answer.value : null
  const shownFault = fault ?? (answer?.ok === false ? answer.fault : null)
  const claim = async (on: boolean) => {
    // The button may have nothing left to do then: the focus stays at the setting.
    head.current?.focus()
    setBusy(true)
    const claimed = await session.pipe.call('links.claim', { on })
    setBusy(false)
    setFault(claimed.ok ? null : claimed.fault)
    if (claimed.ok) set(claimed)
  }
  const done = opening?.named === opening?.here && opening?.chosen !== false
  return (
    <div className="setting">
      <div className="setting-text">
        <h3 ref={head} tabIndex={-1}>
          Links
        </h3>
        <p role="status">{opening === null ? '' : openingText(opening)}</p>
        <FaultNote fault={shownFault} />
      </div>
      <div className="setting-control">
        {opening !== null && !done && (
          <Button className="button" isDisabled={blind || busy} onPress={() => void claim(true)}>
            Open muster:// links with this AppImage
          </Button>
        )}
        {opening !== null && opening.named !== null && (
          <Button className="button" isDisabled={blind || busy} onPress={() => void claim(false)}>
            Remove the desktop file
          </Button>
        )}
      </div>
    </div>
  )
}

/** Who opens `muster://` links, in sentences. */
export function openingText({ here, named, chosen }: LinkOpening): string {
  if (named === null) return 'No desktop file opens muster:// links with this AppImage. Muster can write one for you.'
  if (named !== here) return `A desktop file of yours opens muster:// links with another AppImage: ${named}`
  const to = `A desktop file of yours opens muster:// links with this AppImage: ${here}`
  if (chosen === null)
    return `${to}. This computer has no xdg-mime to check it. If links do not open, choose Muster for them in the desktop’s settings.`
  return chosen
    ? `${to}. Where it is moved, start it once by hand.`
    : `${to}. But the desktop gives them to another application.`
}
