import { Bell, BellOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import type { Fault } from '../../src-shared/fault.ts'
import type { Tellings, Told } from '../../src-shared/model.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { FaultNote } from '../ui/fault-note.tsx'
import { Age } from '../ui/moment.tsx'
import { many } from '../words/numbers.ts'
import { NotificationState } from './notification-state.tsx'
import { kindWords, pausedWords, pauses, toldWords } from './words.ts'

/** What Muster told lately, and whether it tells now; how long it will not is always in sight. */
export function TellingsBell({ tellings, blind }: { tellings: Tellings; blind: boolean }) {
  const { session, unread } = useSurroundings()
  const count = useStore(unread.count)
  const [open, setOpen] = useState(false)
  const paused = useWords((now) => pausedWords(tellings.pausedUntil, now))
  const label = ['Notifications', paused.toLowerCase(), count > 0 && `${count} new`].filter((part) => part !== '' && part !== false).join(', ')
  const show = (next: boolean) => {
    setOpen(next)
    if (!next) unread.see()
  }
  const choose = (told: Told) => {
    show(false)
    session.open(told.open)
  }
  return (
    <DialogTrigger isOpen={open} onOpenChange={show}>
      <Button className="bell" id="notifications" data-paused={paused !== ''} aria-label={label}>
        {paused === '' ? <Bell size={16} aria-hidden /> : <BellOff size={16} aria-hidden />}
        {paused !== '' && <span>{paused}</span>}
        {count > 0 && <span className="bell-count" aria-hidden>{count > 99 ? '99+' : count}</span>}
      </Button>
      <Popover className="popover told-popover" placement="bottom end" offset={6}>
        <div className="dialog small told">
          <h2>Notifications</h2>
          <Pause tellings={tellings} blind={blind} />
          {tellings.recent.length === 0 && <p className="quiet-text">Nothing yet. A device that stays down is told here.</p>}
          {tellings.recent.length > 0 && <ul className="told-list" aria-label="Told lately">{tellings.recent.map((told) => <ToldLine key={told.id} told={told} onChoose={() => choose(told)} />)}</ul>}
          <div className="told-foot"><NotificationState /></div>
        </div>
      </Popover>
    </DialogTrigger>
  )
}

function ToldLine({ told, onChoose }: { told: Told; onChoose: () => void }) {
  const { times } = useSettings()
  const title = useWords((now) => toldWords(told, 'title', now, times))
  const body = useWords((now) => toldWords(told, 'body', now, times))
  return (
    <li>
      <Button className="told-line" data-kind={told.kind} onPress={onChoose}>
        <span className="told-kind">{kindWords[told.kind]}</span>
        <span className="told-title"><bdi>{title}</bdi></span>
        <span className="told-at"><Age at={told.at} /></span>
        {body !== '' && <span className="told-body"><bdi>{body}</bdi></span>}
        {told.devices > 1 && <span className="sr-only">, {many(told.devices, 'device')}</span>}
      </Button>
    </li>
  )
}

function Pause({ tellings, blind }: { tellings: Tellings; blind: boolean }) {
  const { session } = useSurroundings()
  const [fault, setFault] = useState<Fault | null>(null)
  const paused = useWords((now) => pausedWords(tellings.pausedUntil, now))
  const group = useRef<HTMLDivElement>(null)
  const pause = async (minutes: number) => {
    const answer = await session.pipe.call('tellings.pause', { minutes })
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <>
      <div className="told-pause" ref={group} role="group" aria-label="Pause notifications">
        <span className="quiet-text">{paused === '' ? 'Pause for' : paused}</span>
        {paused !== '' && <Button className="button primary" isDisabled={blind} aria-label="Resume notifications" onPress={() => void pause(0).then(() => group.current?.querySelector<HTMLElement>('button:last-of-type')?.focus())}>Resume</Button>}
        {pauses.map(({ minutes, word, short }) => <Button key={minutes} className="button" isDisabled={blind} aria-label={`Pause notifications for ${word}`} onPress={() => void pause(minutes)}>{short}</Button>)}
      </div>
      <FaultNote fault={fault} />
    </>
  )
}
