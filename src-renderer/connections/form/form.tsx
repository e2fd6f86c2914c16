import { FlaskConical } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ConnectionInput, ConnectionState } from '../../../src-shared/model/connection.ts'
import type { AppState } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { FormNotLoaded } from '../../lib/ui/form-not-loaded.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import { worstFault } from '../../lib/format/faults.ts'
import { Field } from './field.tsx'
import { AddressFields, AdvancedFields, Presets, TrustField } from './form-fields.tsx'
import type { FieldName } from './fields.ts'
import { Legs } from './legs.tsx'
import { useConnectionForm } from './use-form.ts'
import { storageText } from '../format.ts'

interface Props {
  /** Null for a new one. */
  connection: ConnectionState | null
  keychain: AppState['keychain']
  onDone: () => void
  onSaved: (id: string) => void
}

export function ConnectionDialog(props: Props) {
  const box = useRef<HTMLElement>(null)
  const leaving = useLeaving(() => isTyped(box.current), props.onDone)
  const all = { ...props, onDone: leaving.leave }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal wide">
        <Dialog className="dialog" ref={box}>
          <Heading slot="title">{props.connection === null ? 'New connection' : 'Edit connection'}</Heading>
          {props.connection === null ? (
            <ConnectionForm {...all} known={null} />
          ) : (
            <Loaded {...all} id={props.connection.id} />
          )}
          {leaving.asking && (
            <LeaveDialog
              what={
                props.connection === null ? 'This connection has not been saved.' : 'Your changes have not been saved.'
              }
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

/** Returns the field that the operator most likely wants to change. */
function firstField(connection: ConnectionState | null): 'name' | 'clientSecret' | 'ca' {
  if (connection === null) return 'name'
  const kind = worstFault(connection)?.kind
  if (connection.secret === 'missing' || kind === 'no-secret' || kind === 'credentials') return 'clientSecret'
  return kind === 'ca' || kind === 'tls' ? 'ca' : 'name'
}

/** The form of an existing connection. It reads the texts from the core, because the connection's state lacks them. */
function Loaded({ id, ...props }: Props & { id: string }) {
  const { session } = useAppContext()
  const [attempt, setAttempt] = useState(1)
  const { value, current } = useCall(`${attempt} ${id}`, () => session.pipe.call('connections.show', { id }))
  const answer = current ? value : null
  if (answer?.ok && answer.value.input !== null) return <ConnectionForm {...props} known={answer.value.input} />
  return (
    <FormNotLoaded
      loading="Loading the connection…"
      key={attempt}
      fault={answer === null ? null : faultOf(answer)}
      onCancel={props.onDone}
      onAgain={() => setAttempt(attempt + 1)}
    />
  )
}

const faultOf = (answer: Answer<unknown>): Fault =>
  answer.ok ? { kind: 'input', detail: 'This connection is no longer there.' } : answer.fault

interface FormActionsProps {
  busy: boolean
  testing: boolean
  /** True when the secret was sent, but nothing was saved. */
  secretGone: boolean
  onTest: () => void
  onCancel: () => void
}

function FormActions({ busy, testing, secretGone, onTest, onCancel }: FormActionsProps) {
  return (
    <div className="dialog-actions">
      <Button className="button" isDisabled={busy} isPending={testing} onPress={onTest}>
        <FlaskConical size={14} aria-hidden />
        {testing ? 'Testing…' : 'Test'}
      </Button>
      <span className="spring">
        {secretGone && <span className="hint">The secret was not saved. Enter it again.</span>}
      </span>
      <Button className="button" onPress={onCancel}>
        Cancel
      </Button>
      <Button className="button primary" type="submit" isDisabled={busy}>
        {busy ? 'Saving…' : 'Save and connect'}
      </Button>
    </div>
  )
}

function ConnectionForm({ connection, known, keychain, onDone, onSaved }: Props & { known: ConnectionInput | null }) {
  const {
    form,
    errors,
    fault,
    busy,
    sent,
    filled,
    test,
    save,
    try: tryIt,
    changed,
    left,
    paste,
    choose,
  } = useConnectionForm(connection, onSaved)
  const error = (name: FieldName) => errors.get(name) ?? null
  const first = firstField(connection)
  return (
    <form
      ref={form}
      className="form"
      noValidate
      onSubmit={(event) => void save(event)}
      onPaste={paste}
      onInput={changed}
      aria-describedby="form-hint"
    >
      {connection === null && <Presets onChoose={choose} />}
      <p className="hint" id="form-hint">
        If you have the connection as a JSON object, paste it into any field: it fills the form.
      </p>
      <p className="filled" role="status">
        {filled}
      </p>
      <Field name="name" value={known?.name} error={error('name')} onLeft={left} focused={first === 'name'} />
      <AddressFields known={known} error={error} onLeft={left} />
      <Field name="clientId" value={known?.clientId} error={error('clientId')} onLeft={left} mono />
      <Field
        name="clientSecret"
        secret
        error={error('clientSecret')}
        onLeft={left}
        hint={storageText(connection, keychain, errors.has('clientSecret'))}
        focused={first === 'clientSecret'}
      />
      <TrustField known={known} error={error} onLeft={left} focused={first === 'ca'} />
      <AdvancedFields known={known} error={error} onLeft={left} />
      <FaultNote fault={fault} />
      <Legs test={test} />
      <FormActions
        busy={busy}
        testing={test.state === 'busy'}
        secretGone={(fault !== null || errors.size > 0) && sent}
        onTest={() => void tryIt()}
        onCancel={onDone}
      />
    </form>
  )
}
