import { FlaskConical } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Answer, CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { TeamInput } from '../../src-shared/model/team.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import type { AppState } from '../lib/session.ts'
import { LeaveDialog, useLeaving } from '../lib/ui/discard-dialog.tsx'
import { FormNotLoaded } from '../lib/ui/form-not-loaded.tsx'
import { TeamFaultNote } from './fault-text.tsx'
import { ShareField, TeamFields } from './form-fields.tsx'
import { TeamLegs } from './legs.tsx'
import { useTeamForm } from './use-team-form.ts'

interface Props {
  /** True for a Muster that has joined and changes how it reaches the team. */
  isChange: boolean
  keychain: AppState['keychain']
  coreLost: boolean
  onDone: () => void
  onJoined: () => void
}

/** Joins a team, or changes how this Muster reaches it. It asks before it discards input, and stays while it joins. */
export function TeamDialog({ isChange, onDone, ...props }: Props) {
  const box = useRef<HTMLElement>(null)
  const [isBusy, setBusy] = useState(false)
  const leaving = useLeaving(() => isTyped(box.current), onDone)
  const leave = () => {
    if (!isBusy) leaving.leave()
  }
  const form = { ...props, isBusy, onBusy: setBusy, onLeave: leave }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leave()}>
      <Modal className="modal wide">
        <Dialog className="dialog" ref={box}>
          <Heading slot="title">{isChange ? 'Change the team’s database' : 'Join a team'}</Heading>
          {isChange ? <Loaded {...form} /> : <Form {...form} known={null} />}
          {leaving.asking && (
            <LeaveDialog
              what={isChange ? 'Your changes have not been saved.' : 'You have not joined the team.'}
              leaving={leaving}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Returns whether a field has been changed. */
function isTyped(box: HTMLElement | null): boolean {
  return [...(box?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? [])].some(
    (field) => field.value !== field.defaultValue,
  )
}

interface FormProps extends Omit<Props, 'isChange' | 'onDone'> {
  isBusy: boolean
  onBusy: (isBusy: boolean) => void
  onLeave: () => void
}

/** The form of a Muster that has joined. It reads the texts from the core. */
function Loaded(props: FormProps) {
  const { session } = useAppContext()
  const [attempt, setAttempt] = useState(1)
  const { value, current } = useCall(String(attempt), () => session.pipe.call('team.show', {}))
  const answer = current ? value : null
  if (answer?.ok === true && answer.value.typed !== null) return <Form {...props} known={answer.value.typed} />
  return (
    <FormNotLoaded
      loading="Loading…"
      key={attempt}
      fault={answer === null ? null : faultOf(answer)}
      onCancel={props.onLeave}
      onAgain={() => setAttempt(attempt + 1)}
    />
  )
}

const faultOf = (answer: Answer<CallOutput<'team.show'>>): Fault =>
  answer.ok ? { kind: 'input', detail: 'This Muster is in no team any more.' } : answer.fault

/** `known`: null to join. */
function Form({
  known,
  keychain,
  coreLost,
  isBusy,
  onBusy,
  onLeave,
  onJoined,
}: FormProps & { known: TeamInput | null }) {
  const { form, problems, fault, isPasswordGone, test, runTest, join, changed } = useTeamForm({
    isBusy,
    onBusy,
    onJoined,
  })
  return (
    <form ref={form} className="form team-form" noValidate onSubmit={(event) => void join(event)} onInput={changed}>
      <TeamFields known={known} keychain={keychain} problems={problems} />
      {known === null && <ShareField />}
      <TeamFaultNote fault={fault} />
      <TeamLegs test={test} />
      <p className="team-busy" role="status">
        {isBusy && 'Muster’s core starts again with the team’s data. This may take a moment.'}
      </p>
      <FormActions
        isNew={known === null}
        isBusy={isBusy}
        isTesting={test.is === 'busy'}
        coreLost={coreLost}
        note={isPasswordGone ? 'The password was not saved. Enter it again.' : ''}
        onTest={() => void runTest()}
        onCancel={onLeave}
      />
    </form>
  )
}

interface ActionsProps {
  isNew: boolean
  isBusy: boolean
  isTesting: boolean
  coreLost: boolean
  note: string
  onTest: () => void
  onCancel: () => void
}

function FormActions({ isNew, isBusy, isTesting, coreLost, note, onTest, onCancel }: ActionsProps) {
  const [word, busyWord] = isNew ? ['Join', 'Joining…'] : ['Save', 'Saving…']
  return (
    <div className="dialog-actions">
      <Button className="button" isDisabled={coreLost || isBusy} isPending={isTesting} onPress={onTest}>
        <FlaskConical size={14} aria-hidden />
        {isTesting ? 'Testing…' : 'Test'}
      </Button>
      <span className="spring">{note !== '' && <span className="hint">{note}</span>}</span>
      <Button className="button" isDisabled={isBusy} onPress={onCancel}>
        Cancel
      </Button>
      <Button className="button primary" type="submit" isDisabled={coreLost || isTesting} isPending={isBusy}>
        {isBusy ? busyWord : word}
      </Button>
    </div>
  )
}
