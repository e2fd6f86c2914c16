import { Bell, BellOff, ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { Notifications, Notification } from '../../src-shared/model/inventory.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Age } from '../lib/ui/moment.tsx'
import { bodyText, titleText } from '../lib/format/messages.ts'
import { many } from '../lib/format/numbers.ts'
import { groupsOf, type NotificationGroup, type NotificationLine } from './groups.ts'
import { NotificationPermission } from './permission.tsx'
import { kindLabels, pausedText, pauses } from './format.ts'
import { Isolated } from '../lib/ui/isolated.tsx'

/** The bell with the recent notifications and their pause. The remaining time of a pause is always visible. */
export function NotificationsBell({ notifications, coreLost }: { notifications: Notifications; coreLost: boolean }) {
  const { session, unread } = useAppContext()
  const count = useStore(unread.count)
  const [open, setOpen] = useState(false)
  const groups = useMemo(() => groupsOf(notifications.recent), [notifications.recent])
  const paused = useTickedText((now) => pausedText(notifications.pausedUntil, now))
  const label = ['Notifications', paused.toLowerCase(), count > 0 && `${count} new`]
    .filter((part) => part !== '' && part !== false)
    .join(', ')
  const show = (next: boolean) => {
    setOpen(next)
    if (!next) unread.see()
  }
  const choose = (notification: Notification) => {
    show(false)
    session.open(notification.open)
  }
  return (
    <DialogTrigger isOpen={open} onOpenChange={show}>
      <Button className="bell" id="notifications" data-paused={paused !== ''} aria-label={label}>
        {paused === '' ? <Bell size={16} aria-hidden /> : <BellOff size={16} aria-hidden />}
        {paused !== '' && <span>{paused}</span>}
        {count > 0 && (
          <span className="bell-count" aria-hidden>
            {count > 99 ? '99+' : count}
          </span>
        )}
      </Button>
      <Popover className="popover notification-popover" placement="bottom end" offset={6}>
        <div className="dialog small notification">
          <h2>Notifications</h2>
          <Pause notifications={notifications} coreLost={coreLost} />
          {groups.length === 0 && <p className="muted-text">No notifications yet.</p>}
          {groups.length > 0 && (
            <ul className="notification-list" aria-label="Recent notifications">
              {groups.map((group) => (
                <Group key={group.id} group={group} onChoose={() => choose(group.last)} />
              ))}
            </ul>
          )}
          <div className="notification-foot">
            <NotificationPermission />
          </div>
        </div>
      </Popover>
    </DialogTrigger>
  )
}

/** The last notification of an incident. Its count expands the earlier ones. */
function Group({ group: { last, before, count }, onChoose }: { group: NotificationGroup; onChoose: () => void }) {
  const { times } = useSettings()
  const [expanded, setExpanded] = useState(false)
  const id = useId()
  const title = useTickedText((now) => titleText(last.message, now, times))
  const body = useTickedText((now) => bodyText(last.message, now, times))
  return (
    <li>
      <Button className="notification-line" data-kind={last.kind} onPress={onChoose}>
        <span className="notification-kind">{kindLabels[last.kind]}</span>
        <span className="notification-title">
          <Isolated>{title}</Isolated>
        </span>
        <span className="notification-at">
          <Age at={last.at} />
        </span>
        {body !== '' && (
          <span className="notification-body">
            <Isolated>{body}</Isolated>
          </span>
        )}
        {last.devices > 1 && <span className="sr-only">, {many(last.devices, 'device')}</span>}
      </Button>
      {count > 1 && (
        <Button
          className="notification-count"
          aria-expanded={expanded}
          aria-controls={id}
          onPress={() => setExpanded(!expanded)}
        >
          {expanded ? <ChevronDown size={13} aria-hidden /> : <ChevronRight size={13} aria-hidden />}
          {many(count, 'notification')}
          <span className="sr-only"> of {title}</span>
        </Button>
      )}
      {expanded && (
        <ol className="notification-before" id={id} aria-label="Earlier notifications">
          {before.map((line, index) => (
            <Before key={`${line.at} ${index}`} line={line} />
          ))}
        </ol>
      )}
    </li>
  )
}

function Before({ line }: { line: NotificationLine }) {
  const { times } = useSettings()
  const title = useTickedText((now) => titleText(line.message, now, times))
  return (
    <li>
      <span className="notification-kind">{kindLabels[line.kind]}</span>
      <Isolated className="notification-title">{title}</Isolated>
      <span className="notification-at">
        <Age at={line.at} />
      </span>
    </li>
  )
}

function Pause({ notifications, coreLost }: { notifications: Notifications; coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const paused = useTickedText((now) => pausedText(notifications.pausedUntil, now))
  const group = useRef<HTMLDivElement>(null)
  const pause = async (minutes: number) => {
    const answer = await session.pipe.call('notifications.pause', { minutes })
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <>
      <div className="notification-pause" ref={group} role="group" aria-label="Pause notifications">
        <span className="muted-text">{paused === '' ? 'Pause for' : paused}</span>
        {paused !== '' && (
          <Button
            className="button primary"
            isDisabled={coreLost}
            aria-label="Resume notifications"
            onPress={() =>
              void pause(0).then(() => group.current?.querySelector<HTMLElement>('button:last-of-type')?.focus())
            }
          >
            Resume
          </Button>
        )}
        {pauses.map(({ minutes, word, short }) => (
          <Button
            key={minutes}
            className="button"
            isDisabled={coreLost}
            aria-label={`Pause notifications for ${word}`}
            onPress={() => void pause(minutes)}
          >
            {short}
          </Button>
        ))}
      </div>
      <FaultNote fault={fault} />
    </>
  )
}
