import { useEffect, useRef, useState, type ClipboardEvent, type FormEvent } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { explain, type Fault } from '../../src-shared/fault.ts'
import type { ConnectionInput, ConnectionState } from '../../src-shared/model.ts'
import type { AppState } from '../session.ts'
import { useSurroundings } from '../surroundings.ts'
import { Field } from './field.tsx'
import { faultyField, fieldsOf, fieldWords, inputOf, refusal, type FieldName } from './fields.ts'
import { keptWords } from './words.ts'

interface Props {
  /** Null: a new one. */
  connection: ConnectionState | null
  keychain: AppState['keychain']
  onDone: () => void
}

export function ConnectionDialog(props: Props) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && props.onDone()}>
      <Modal className="modal wide">
        <Dialog className="dialog">
          <Heading slot="title">{props.connection === null ? 'New connection' : 'Edit connection'}</Heading>
          <Loaded {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** An existing connection's texts come from the core when they are wanted; its state does not carry them. */
function Loaded(props: Props) {
  const { session } = useSurroundings()
  const [known, setKnown] = useState<ConnectionInput | null>(null)
  const id = props.connection?.id ?? null
  useEffect(() => {
    if (id === null) return
    void session.pipe.call('connections.show', { id }).then((answer) => {
      if (answer.ok) setKnown(answer.value.input)
    })
  }, [id, session])
  return id !== null && known === null ? null : <ConnectionForm {...props} known={known} />
}

/**
 * The fields are the browser's own: what is typed stands in the document only, and the secret leaves it with the
 * submit. Nothing of it is ever held in the window's state (invariant 1).
 */
function ConnectionForm({ connection, known, keychain, onDone }: Props & { known: ConnectionInput | null }) {
  const { session } = useSurroundings()
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const [filled, setFilled] = useState('')
  const field = (name: FieldName) => form.current?.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | null

  async function save(event: FormEvent) {
    event.preventDefault()
    const input = inputOf(connection?.id ?? null, (name) => field(name)?.value ?? '')
    const refused = refusal(input)
    if (refused !== null) return tell(refused)
    const secret = field('clientSecret')
    if (secret !== null) secret.value = ''
    setSent(input.clientSecret !== '')
    setBusy(true)
    const answer = await session.pipe.call('connections.save', input)
    setBusy(false)
    if (answer.ok) onDone()
    else tell(answer.fault)
  }

  function tell(found: Fault) {
    setFault(found)
    const wrong = faultyField(found)
    if (wrong !== null) field(wrong)?.focus()
  }

  function fill(event: ClipboardEvent) {
    const found = fieldsOf(event.clipboardData.getData('text/plain'))
    if (found === null) return
    event.preventDefault()
    for (const [name, value] of found) {
      const input = field(name)
      if (input !== null) input.value = value
    }
    setFilled(`Filled in ${found.size} fields from the JSON object.`)
  }

  const wrong = fault && faultyField(fault)
  const errorOf = (name: FieldName) => (fault !== null && wrong === name ? fieldWords(fault) || explain(fault).advice : null)
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void save(event)} onPaste={fill} aria-describedby="form-hint">
      <p className="hint" id="form-hint">If you have the connection as a JSON object (<code>npm run service</code> prints one), paste it into any field: it fills the form.</p>
      <p className="filled" role="status">{filled}</p>
      <Field name="name" label="Name" value={connection?.name} error={errorOf('name')} focused />
      <Field name="tokenUrl" label="Token address" value={connection?.tokenUrl} error={errorOf('tokenUrl')} placeholder="https://login.example.com/oauth/token" mono />
      <Field name="graphqlUrl" label="GraphQL address" value={connection?.graphqlUrl} error={errorOf('graphqlUrl')} placeholder="https://api.example.com/graphql" mono />
      <Field name="subscriptionUrl" label="Subscription address" value={connection?.subscriptionUrl} error={errorOf('subscriptionUrl')} placeholder="wss://api.example.com/graphql" mono />
      <Field name="clientId" label="Client id" value={connection?.clientId} error={errorOf('clientId')} mono />
      <Field name="clientSecret" label="Client secret" secret error={errorOf('clientSecret')} hint={keptWords(connection, keychain)} />
      <Field name="ca" label="CA certificate" value={known?.ca} error={errorOf('ca')} lines={4} placeholder="-----BEGIN CERTIFICATE-----" hint="Only if the service has a certificate of your company. It adds trust for this connection alone." mono />
      <details className="advanced" open={Boolean(known?.subscription) || wrong === 'subscription'}>
        <summary>Advanced</summary>
        <Field name="subscription" label="Subscription document" value={known?.subscription} error={errorOf('subscription')} lines={5} hint="Only if the service’s live stream has another name. Empty for the usual one." mono />
      </details>
      <div role="alert">{fault !== null && wrong === null && <p className="form-fault"><strong>{explain(fault).title}</strong> {explain(fault).advice} {fault.detail}</p>}</div>
      <div className="dialog-acts">
        {fault !== null && sent && <p className="hint spring">The secret was not kept. Enter it again.</p>}
        <Button className="button" onPress={onDone}>Cancel</Button>
        <Button className="button primary" type="submit" isDisabled={busy}>{busy ? 'Saving…' : 'Save and connect'}</Button>
      </div>
    </form>
  )
}
