import { FlaskConical } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Answer, CallOutput } from '../../src-shared/contract/contract.ts'
import type { ChannelStatus } from '../../src-shared/contract/channel-calls.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { LeaveDialog, useLeaving } from '../lib/ui/discard-dialog.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { FormGroup, FormRow } from '../policies/fields.tsx'
import { Choice } from '../lib/ui/choice.tsx'
import { type FieldProps, draftOf, freshDraft, inputOf, problemsIn } from './draft.ts'
import { RuleFields } from './rule-fields.tsx'
import { MailFields, WebhookFields } from './target-fields.tsx'

interface Props {
  /** Null: a new one. */
  known: ChannelStatus | null
  ownZone: string
  coreLost: boolean
  onDone: () => void
  onSaved: () => void
}

/** Creates or changes a channel. It asks before it discards input. */
export function ChannelDialog({ known, onDone, ...props }: Props) {
  const { ticker } = useAppContext()
  const [first] = useState(() => {
    const today = new Date(ticker.now()).toISOString().slice(0, 10)
    return known === null ? freshDraft(props.ownZone, today) : draftOf(known.channel, today)
  })
  const [draft, setDraft] = useState(first)
  const leaving = useLeaving(() => JSON.stringify(draft) !== JSON.stringify(first), onDone)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal wide">
        <Dialog className="dialog">
          <Heading slot="title">{known === null ? 'New channel' : 'Edit the channel'}</Heading>
          <ChannelForm
            {...props}
            draft={draft}
            known={known}
            onChange={(part) => setDraft({ ...draft, ...part })}
            onLeave={leaving.leave}
          />
          {leaving.asking && (
            <LeaveDialog
              what={known === null ? 'This channel has not been saved.' : 'Your changes have not been saved.'}
              leaving={leaving}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface FormProps extends Omit<Props, 'known' | 'onDone'>, Omit<FieldProps, 'problems'> {
  onLeave: () => void
}

const kinds = [
  { value: 'webhook', word: 'Webhook' },
  { value: 'email', word: 'E-mail' },
] as const

const noProblems: ReadonlyMap<string, string> = new Map()

function ChannelForm({ draft, known, ownZone, coreLost, onChange, onLeave, onSaved }: FormProps) {
  const { session } = useAppContext()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState<'no' | 'testing' | 'saving'>('no')
  const [fault, setFault] = useState<Fault | null>(null)
  const [tested, setTested] = useState<CallOutput<'channels.test'> | null>(null)
  const problems = fault?.kind === 'input' ? problemsIn(fault.detail) : noProblems
  const send = async <T,>(
    now: 'saving' | 'testing',
    call: (input: ReturnType<typeof inputOf>) => Promise<Answer<T>>,
  ) => {
    setBusy(now)
    setTested(null)
    const answer = await call(inputOf(draft))
    setBusy('no')
    setFault(answer.ok ? null : answer.fault)
    if (!answer.ok && answer.fault.kind === 'input') focusFirst(form.current, problemsIn(answer.fault.detail))
    return answer.ok ? answer.value : null
  }
  const test = async () => setTested(await send('testing', (input) => session.pipe.call('channels.test', input)))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if ((await send('saving', (input) => session.pipe.call('channels.save', input))) !== null) onSaved()
  }
  const fields = { draft, known, problems, onChange }
  return (
    <form ref={form} className="form channel-form" noValidate onSubmit={(event) => void save(event)}>
      <NameField {...fields} />
      <FormGroup label="Kind">
        <Choice label="Kind" value={draft.kind} options={kinds} onChange={(kind) => onChange({ kind })} />
      </FormGroup>
      {draft.kind === 'webhook' ? <WebhookFields {...fields} /> : <MailFields {...fields} />}
      <RuleFields {...fields} ownZone={ownZone} />
      {fault?.kind !== 'input' && <FaultNote fault={fault} />}
      <div className="dialog-actions">
        {tested !== null && (
          <p className="channel-tested" role="status" data-ok={tested.ok}>
            {tested.ok ? `The test was accepted for ${tested.to.join(', ')}. ${tested.reason}`.trim() : tested.reason}
          </p>
        )}
        <Button
          className="button"
          isDisabled={coreLost || busy === 'saving'}
          isPending={busy === 'testing'}
          onPress={() => void test()}
        >
          <FlaskConical size={14} aria-hidden />
          {busy === 'testing' ? 'Testing…' : 'Send a test'}
        </Button>
        <span className="spring" />
        <Button className="button" onPress={onLeave}>
          Cancel
        </Button>
        <Button
          className="button primary"
          type="submit"
          isDisabled={coreLost || busy === 'testing'}
          isPending={busy === 'saving'}
        >
          {busy === 'saving' ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

function NameField({ draft, problems, onChange }: FieldProps) {
  return (
    <FormRow label="Name" error={problems.get('name')}>
      {({ id, describedBy }) => (
        <input
          id={id}
          className="input"
          data-field="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
          autoFocus
          maxLength={300}
          autoComplete="off"
          placeholder="Operations, at night"
          aria-invalid={problems.has('name')}
          aria-describedby={describedBy}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </FormRow>
  )
}

/** Moves the focus to the first field that is wrong. */
function focusFirst(form: HTMLFormElement | null, problems: ReadonlyMap<string, string>): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
  const wrong = fields.find(({ dataset }) => problems.has(dataset['field'] ?? ''))
  const control =
    wrong?.matches('input, select, textarea') === true ? wrong : wrong?.querySelector<HTMLElement>('input')
  control?.focus()
}
