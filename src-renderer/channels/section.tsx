import '../styles/channels.css'
import { Mail, Pencil, Plus, Trash2, Webhook } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Channel } from '../../src-shared/model/channels.ts'
import type { ChannelStatus } from '../../src-shared/contract/channel-calls.ts'
import type { Answer, CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { every, useCall } from '../lib/hooks/use-call.ts'
import { many } from '../lib/format/numbers.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { afterFrames } from '../lib/ui/focus.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Moment } from '../lib/ui/moment.tsx'
import { Question } from '../lib/ui/question.tsx'
import { Group } from '../settings/fields/fields.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { Deliveries } from './deliveries.tsx'
import { useInTeam } from '../team/use-in-team.ts'
import { ruleText, statusText, targetText } from './words.ts'

/** The state of the channels is read again this often (ms) while they are shown. */
const rereadMs = 3_000

type Asked = { what: 'none' } | { what: 'edit'; known: ChannelStatus | null } | { what: 'remove'; channel: Channel }

/** The channels by which people are told who are not here, and what became of their messages. */
export function ChannelsSection({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const [asked, setAsked] = useState<Asked>({ what: 'none' })
  const [fault, setFault] = useState<Fault | null>(null)
  const [changes, setChanges] = useState(0)
  const add = useRef<HTMLButtonElement>(null)
  const { value, again } = useCall(
    coreLost ? null : 'channels',
    () => session.pipe.call('channels.read', {}),
    every(rereadMs),
  )
  const read = value?.ok === true ? value.value : null
  const done = () => {
    setAsked({ what: 'none' })
    setChanges(changes + 1)
    again()
  }
  const act = async (answer: Promise<Answer<unknown>>) => {
    const { ok, ...rest } = await answer
    setFault(ok ? null : 'fault' in rest ? rest.fault : null)
    done()
  }
  const remove = async ({ id }: Channel) => {
    await act(session.pipe.call('channels.remove', { id }))
    await afterFrames(() => add.current?.focus())
  }
  return (
    <Group name="Channels" shared>
      <Top ref={add} isDisabled={coreLost || read === null} onNew={() => setAsked({ what: 'edit', known: null })} />
      <FaultNote fault={fault ?? (value?.ok === false ? value.fault : null)} />
      {read !== null && (
        <List
          read={read}
          coreLost={coreLost}
          onAsk={setAsked}
          onChange={(channel) => void act(session.pipe.call('channels.save', { channel, secret: null }))}
        />
      )}
      <Deliveries coreLost={coreLost} changes={changes} onChange={again} />
      {asked.what === 'edit' && read !== null && (
        <ChannelDialog
          known={asked.known}
          ownZone={read.ownZone}
          coreLost={coreLost}
          onDone={() => setAsked({ what: 'none' })}
          onSaved={done}
        />
      )}
      {asked.what === 'remove' && (
        <RemoveDialog
          channel={asked.channel}
          onKeep={() => setAsked({ what: 'none' })}
          onRemove={() => void remove(asked.channel)}
        />
      )}
    </Group>
  )
}

function Top({ ref, isDisabled, onNew }: { ref: Ref<HTMLButtonElement>; isDisabled: boolean; onNew: () => void }) {
  const isInTeam = useInTeam()
  return (
    <div className="maintenance-top">
      <p>
        Channels tell people who are not at Muster what the bell says, while Muster runs: by e-mail, Slack, Microsoft
        Teams, PagerDuty, ServiceNow or a webhook. Addresses and keys are in the keychain and are not shown again.
        {isInTeam && ' In a team, one member that has them sends for all.'}
      </p>
      <div className="maintenance-actions">
        <Button ref={ref} className="button" isDisabled={isDisabled} onPress={onNew}>
          <Plus size={14} aria-hidden />
          New channel
        </Button>
      </div>
    </div>
  )
}

interface ListProps {
  read: CallOutput<'channels.read'>
  coreLost: boolean
  onAsk: (asked: Asked) => void
  onChange: (channel: Channel) => void
}

function List({ read: { channels, unread }, coreLost, onAsk, onChange }: ListProps) {
  return (
    <>
      {unread > 0 && (
        <p className="form-fault">
          {many(unread, 'stored channel')} cannot be read and {unread === 1 ? 'is' : 'are'} not used. Make{' '}
          {unread === 1 ? 'it' : 'them'} anew, or mend the settings file while Muster is stopped.
        </p>
      )}
      {channels.length === 0 ? (
        <p className="channels-none">No channels yet.</p>
      ) : (
        <ul className="maintenance-list" aria-label="Channels">
          {channels.map((status) => (
            <ChannelLine
              key={status.channel.id}
              status={status}
              coreLost={coreLost}
              onEdit={() => onAsk({ what: 'edit', known: status })}
              onRemove={() => onAsk({ what: 'remove', channel: status.channel })}
              onSwitch={(on) => onChange({ ...status.channel, on })}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface LineProps {
  status: ChannelStatus
  coreLost: boolean
  onEdit: () => void
  onRemove: () => void
  onSwitch: (on: boolean) => void
}

function ChannelLine({ status, coreLost, onEdit, onRemove, onSwitch }: LineProps) {
  const { channel, sentAt, failed, waiting, reason, hasSecret, sender } = status
  const Icon = channel.kind === 'email' ? Mail : Webhook
  const words = statusText(status)
  // In a team, one member with the secret is enough.
  const lacksSecret = sender === undefined ? hasSecret === false : sender === null
  const isBad = channel.on && (failed > 0 || lacksSecret || (waiting > 0 && reason !== ''))
  return (
    <li className="maintenance-item channel-item" data-off={!channel.on}>
      <Icon className="maintenance-shape" size={15} aria-hidden />
      <div className="maintenance-text">
        <h3>
          <Isolated>{channel.name}</Isolated>
        </h3>
        <p>
          <Isolated>{targetText(status)}</Isolated>
        </p>
        <p className="maintenance-place">{ruleText(channel)}</p>
        {words !== '' && (
          <p className="channel-state" data-bad={isBad}>
            <Isolated>{words}</Isolated>
          </p>
        )}
        {sentAt !== null && (
          <p className="maintenance-place">
            Last message <Moment at={sentAt} />
          </p>
        )}
      </div>
      <label className="check">
        <input
          type="checkbox"
          aria-label={`${channel.name} is on`}
          checked={channel.on}
          disabled={coreLost}
          onChange={({ target }) => onSwitch(target.checked)}
        />
        <span>On</span>
      </label>
      <div className="channel-buttons">
        <IconButton label={`Edit ${channel.name}`} disabled={coreLost} onPress={onEdit}>
          <Pencil size={14} aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${channel.name}`} disabled={coreLost} onPress={onRemove}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

function RemoveDialog({ channel, onKeep, onRemove }: { channel: Channel; onKeep: () => void; onRemove: () => void }) {
  const isInTeam = useInTeam()
  return (
    <Question
      title={
        <>
          Remove the channel <Isolated>{channel.name}</Isolated>?
        </>
      }
      keep="Keep it"
      onKeep={onKeep}
      act={
        <Button className="button danger" onPress={onRemove}>
          Remove
        </Button>
      }
    >
      <p>
        Nobody is told through it any more, and what waits for it is not sent. Its address and keys are wiped from the
        keychain{isInTeam && ', at every member of the team'}. The list of its messages stays.
      </p>
    </Question>
  )
}
