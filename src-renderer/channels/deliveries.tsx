import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Delivery } from '../../src-shared/model/channels.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { every, useCall } from '../lib/hooks/use-call.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { numberText } from '../lib/format/numbers.ts'
import { titleText } from '../lib/format/messages.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Moment } from '../lib/ui/moment.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { actionText, stateLabels } from './words.ts'

const states = [
  { value: 'all', word: 'All' },
  { value: 'waiting', word: 'Waiting' },
  { value: 'failed', word: 'Failed' },
  { value: 'sent', word: 'Sent' },
] as const
type Shown = (typeof states)[number]['value']

const [pageRows, rereadMs] = [20, 3_000]

interface Props {
  coreLost: boolean
  /** Number of changes of the channels: the list is read again with each. */
  changes: number
  /** Called when the state of messages was changed here. */
  onChange: () => void
}

/** The messages to all channels, the newest first. */
export function Deliveries({ coreLost, changes, onChange }: Props) {
  const { session } = useAppContext()
  const [shown, setShown] = useState<Shown>('all')
  const [rows, setRows] = useState(pageRows)
  const [fault, setFault] = useState<Fault | null>(null)
  const state = shown === 'all' ? null : shown
  const { value: answer, again } = useCall(
    coreLost ? null : `${shown} ${rows} ${changes}`,
    () => session.pipe.call('channels.deliveries', { state, incident: null, offset: 0, limit: rows }),
    every(rereadMs),
  )
  const act = async (call: 'channels.retry' | 'channels.dismiss', id: string | null) => {
    const done = await session.pipe.call(call, { id })
    setFault(done.ok ? null : done.fault)
    again()
    onChange()
  }
  if (answer === null) return null
  if (!answer.ok) return <FaultNote fault={answer.fault} />
  const { value } = answer
  if (value.total === 0 && shown === 'all') return null
  return (
    <div className="deliveries">
      <div className="deliveries-head">
        <h3>Messages</h3>
        <Choice label="Messages" value={shown} options={states} onChange={setShown} />
        <span className="spring" />
        {shown === 'failed' && value.total > 0 && (
          <>
            <Button className="button" isDisabled={coreLost} onPress={() => void act('channels.retry', null)}>
              Try all again
            </Button>
            <Button className="button subtle" isDisabled={coreLost} onPress={() => void act('channels.dismiss', null)}>
              Dismiss all
            </Button>
          </>
        )}
      </div>
      <FaultNote fault={fault} />
      {value.total === 0 && <p className="muted-text">None.</p>}
      <ol className="delivery-list" aria-label="Messages to channels">
        {value.rows.map((delivery) => (
          <DeliveryLine key={delivery.id} delivery={delivery}>
            {delivery.state === 'failed' && (
              <FailedActions
                coreLost={coreLost}
                onRetry={() => void act('channels.retry', delivery.id)}
                onDismiss={() => void act('channels.dismiss', delivery.id)}
              />
            )}
          </DeliveryLine>
        ))}
      </ol>
      {value.rows.length < value.total && rows < 200 && (
        <Button className="button subtle" onPress={() => setRows(Math.min(200, rows + 3 * pageRows))}>
          Show more of {numberText(value.total)}
        </Button>
      )}
    </div>
  )
}

interface FailedActionsProps {
  coreLost: boolean
  onRetry: () => void
  onDismiss: () => void
}

function FailedActions({ coreLost, onRetry, onDismiss }: FailedActionsProps) {
  return (
    <span className="delivery-buttons">
      <Button className="button subtle" isDisabled={coreLost} onPress={onRetry}>
        Try again
      </Button>
      <Button className="button subtle" isDisabled={coreLost} onPress={onDismiss}>
        Dismiss
      </Button>
    </span>
  )
}

/** A message: its time, its title, its channel, and what became of it. */
export function DeliveryLine({ delivery, children }: { delivery: Delivery; children?: ReactNode }) {
  const { times } = useSettings()
  const { notification, channelName, at, state, reason, to, attempts, nextAt, dueAt } = delivery
  const title = useTickedText((now) => `${actionText(delivery)}${titleText(notification.message, now, times)}`)
  return (
    <li className="delivery" data-state={state}>
      <span className="delivery-at">
        <Moment at={at} />
      </span>
      <span className="delivery-text">
        <Isolated>{title}</Isolated>
        <span className="delivery-more">
          <span className="delivery-state">{stateLabels[state]}</span>
          <Isolated>{` to ${channelName}${state === 'sent' && to.length > 0 ? ` (${to.join(', ')})` : ''}`}</Isolated>
          {state === 'waiting' && nextAt !== null && (attempts > 0 || dueAt > at) && (
            <>
              {attempts === 0 ? ', due ' : ', next attempt '}
              <Moment at={attempts === 0 ? dueAt : nextAt} />
            </>
          )}
          {reason !== '' && <Isolated className="delivery-reason">{reason}</Isolated>}
        </span>
      </span>
      {children}
    </li>
  )
}
