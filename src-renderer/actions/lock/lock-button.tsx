import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import { useAppContext } from '../../lib/context.ts'
import { minutesLeft } from '../../lib/format/time.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { LazyPart } from '../../lib/lazy-parts.tsx'
import { useStore } from '../../lib/store.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { clockLeft } from '../labels.ts'
import { armedOf } from '../offers.ts'

/**
 * The lock of the title bar: "Read-only", or the armed tenant with a countdown. It opens the list of tenants. The frame
 * round the window shows the same.
 */
export function LockButton({ coreLost }: { coreLost: boolean }) {
  const { deviceActions } = useAppContext()
  const state = useStore(deviceActions.state)
  const [open, setOpen] = useState(false)
  const armed = coreLost ? [] : armedOf(state)
  const known = state !== null && !coreLost
  const name = armed.length === 1 ? isolated(armed[0]?.name ?? '') : `${armed.length} tenants`
  const first = armed.at(-1)?.armedUntil ?? 0
  const left = useTickedText((now) => (first === 0 ? '' : clockLeft(first, now)))
  const spoken = useTickedText((now) => (first === 0 ? '' : `${minutesLeft(first, now)} left`))
  return (
    <>
      <span className="sr-only" role="status">
        {armed.length === 0 ? '' : `Actions are armed: ${name}`}
      </span>
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Button
          className="button lock-button"
          id="lock"
          data-armed={armed.length > 0}
          isDisabled={!known}
          aria-label={armed.length === 0 ? 'Read-only. Arm a tenant' : `Armed: ${name}, ${spoken}`}
        >
          {armed.length === 0 ? <Lock size={14} aria-hidden /> : <LockOpen size={14} aria-hidden />}
          {armed.length === 0 ? (
            <span className="lock-word">Read-only</span>
          ) : (
            <>
              <span className="lock-word">Armed:</span>
              <Isolated className="clip lock-name">{name}</Isolated>
              <span className="lock-left">{left}</span>
            </>
          )}
        </Button>
        <Popover className="popover" placement="bottom end" offset={6}>
          <LazyPart render={({ LockPanel }) => <LockPanel onDone={() => setOpen(false)} />} />
        </Popover>
      </DialogTrigger>
      {armed.length > 0 && <div className="armed-frame" aria-hidden />}
    </>
  )
}
