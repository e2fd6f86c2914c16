import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { LinkOpening } from '../../../src-shared/model/environment.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'

/** Who opens `muster://` links, where Muster is an AppImage: a person's word, and the end of it in the same place. */
export function LinkOpeningRow({ blind }: { blind: boolean }) {
  const { session } = useAppContext()
  const [opening, setOpening] = useState<LinkOpening | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    let gone = false
    void session.pipe.call('links.opening', {}).then((answer) => {
      if (gone) return
      if (answer.ok) setOpening(answer.value)
      else setFault(answer.fault)
    })
    return () => {
      gone = true
    }
  }, [session])
  const claim = async (on: boolean) => {
    // The button may have nothing left to do then: the focus stays at the setting.
    head.current?.focus()
    setBusy(true)
    const answer = await session.pipe.call('links.claim', { on })
    setBusy(false)
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) setOpening(answer.value)
  }
  const done = opening?.named === opening?.here && opening?.chosen !== false
  return (
    <div className="setting">
      <div className="setting-text">
        <h3 ref={head} tabIndex={-1}>
          Links
        </h3>
        <p role="status">{opening === null ? '' : openingText(opening)}</p>
        <FaultNote fault={fault} />
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
