import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { MutationSheet } from '../../../src-shared/model/mutation.ts'
import { ArmDialog } from '../../actions/lock/arm-dialog.tsx'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { costText } from '../cost-text.ts'
import { changeTab } from '../query-state.ts'
import type { AskedMutation } from './use-start.ts'

interface Props {
  asked: AskedMutation
  coreLost: boolean
  onDone: () => void
}

/** The question before a mutation: what it does, where it may act, what it costs. It sends nothing by itself. */
export function MutationDialog({ asked, coreLost, onDone }: Props) {
  const { session } = useAppContext()
  const { value, again } = useCall<Answer<MutationSheet>>(asked.tab, () =>
    session.pipe.call('mutation.prepare', asked.input),
  )
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal wide">
        <Dialog className="dialog mutation-dialog" role="alertdialog">
          <Heading slot="title">
            {value?.ok === true && value.value.name !== null ? (
              <>
                Run the mutation <Isolated>{value.value.name}</Isolated>?
              </>
            ) : (
              'Run this mutation?'
            )}
          </Heading>
          {value?.ok === true ? (
            <SheetForm
              key={value.value.id}
              sheet={value.value}
              asked={asked}
              coreLost={coreLost}
              onAgain={again}
              onDone={onDone}
            />
          ) : (
            <>
              <p role="status">{value === null ? 'Reading what it would do…' : ''}</p>
              <FaultNote fault={value === null ? null : value.fault} />
              <div className="dialog-actions">
                {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the harmless answer has the focus */}
                <Button className="button" autoFocus onPress={onDone}>
                  Cancel
                </Button>
              </div>
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface FormProps extends Props {
  sheet: MutationSheet
  onAgain: () => void
}

function SheetForm({ sheet, asked, coreLost, onAgain, onDone }: FormProps) {
  const { session, deviceActions } = useAppContext()
  const [sending, setSending] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [arming, setArming] = useState<readonly string[] | null>(null)
  const state = useStore(deviceActions.state)
  const until = new Map(state?.tenants.map(({ tenant, armedUntil }) => [tenant, armedUntil]))
  const locked = sheet.tenants.filter(({ key }) => (until.get(key) ?? null) === null)
  const isUnsent = fault !== null && unsentKinds.has(fault.kind)
  async function send() {
    setSending(true)
    const failure = await sendMutation(session.pipe, asked, sheet.id)
    setSending(false)
    if (failure === null) onDone()
    else setFault(failure)
  }
  return (
    <>
      <Where sheet={sheet} connection={asked.input.connection} />
      <Fields sheet={sheet} />
      <Cost sheet={sheet} />
      <p className="mutation-warning">It is sent once and cannot be undone here.</p>
      {locked.length > 0 && <Locked sheet={sheet} locked={locked} onArm={setArming} />}
      <FaultNote fault={fault} />
      {fault !== null && !isUnsent && (
        <p className="mutation-warning">It may have been sent: see Actions before you send it again.</p>
      )}
      <div className="dialog-actions">
        {isUnsent && (
          <Button className="button" onPress={onAgain}>
            Prepare again
          </Button>
        )}
        {fault !== null && !isUnsent && (
          <Button
            className="button"
            onPress={() => {
              deviceActions.show(null)
              onDone()
            }}
          >
            Show Actions
          </Button>
        )}
        <span className="spring" />
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in a question, the harmless answer has the focus */}
        <Button className="button" autoFocus onPress={onDone}>
          {sending ? 'Close' : 'Cancel'}
        </Button>
        <Button
          className="button danger"
          isDisabled={coreLost || sending || locked.length > 0 || (fault !== null && !isUnsent)}
          onPress={() => void send()}
        >
          {sending ? 'Sending…' : 'Send mutation'}
        </Button>
      </div>
      {arming !== null && <ArmDialog tenants={arming} coreLost={coreLost} onDone={() => setArming(null)} />}
    </>
  )
}

interface LockedProps {
  sheet: MutationSheet
  locked: MutationSheet['tenants']
  onArm: (tenants: readonly string[]) => void
}

const Locked = ({ sheet, locked, onArm }: LockedProps) => (
  <div className="sheet-locked">
    <span>
      A mutation may act on every tenant of its connection, and {locked.length} of{' '}
      {many(sheet.tenants.length, 'tenant')} {locked.length === 1 ? 'is' : 'are'} read-only.
    </span>
    <Button className="button armed" onPress={() => onArm(locked.map(({ key }) => key))}>
      Arm {many(locked.length, 'tenant')}…
    </Button>
  </div>
)

/** Faults with which the core rejects a mutation before it sends anything. */
const unsentKinds: ReadonlySet<Fault['kind']> = new Set(['locked', 'actions-off', 'input', 'storage', 'jobs-unread'])

/** The most tenants that are named. */
const named = 8

function Where({ sheet, connection }: { sheet: MutationSheet; connection: string }) {
  const { session } = useAppContext()
  const name = useStore(session.state, ({ app }) => app?.connections.find(({ id }) => id === connection)?.name ?? '')
  const shown = sheet.tenants.slice(0, named)
  return (
    <dl className="mutation-where">
      <dt>Connection</dt>
      <dd>
        <Isolated>{name}</Isolated>
      </dd>
      <dt>May act on</dt>
      <dd>
        {many(sheet.tenants.length, 'tenant')}:{' '}
        {shown.map((tenant, index) => (
          <span key={tenant.key}>
            {index > 0 && ', '}
            <Isolated>{tenant.name}</Isolated>
          </span>
        ))}
        {sheet.tenants.length > named && ` and ${sheet.tenants.length - named} more`}
      </dd>
    </dl>
  )
}

const Fields = ({ sheet }: { sheet: MutationSheet }) => (
  <ul className="mutation-fields" aria-label="What it does">
    {sheet.fields.map(({ name, field, arguments: given, isCut }) => (
      <li key={name}>
        <code>
          <Isolated className="mutation-field">{field}</Isolated>
          {given !== '' && (
            <>
              (<Isolated>{given}</Isolated>
              {isCut && '…'})
            </>
          )}
        </code>
        {name !== field && (
          <span className="muted-text">
            {' '}
            as <Isolated>{name}</Isolated>
          </span>
        )}
      </li>
    ))}
  </ul>
)

function Cost({ sheet: { estimate } }: { sheet: MutationSheet }) {
  const { cost, rejected } = costText(estimate, 0)
  const verdict = useTickedText((now) => costText(estimate, now).verdict)
  return (
    <p className="query-cost" data-rejected={rejected}>
      <span>{cost}.</span> <strong>{verdict}</strong>
    </p>
  )
}

/** Sends a sheet, and shows in its tab what came of it. Resolves with why it was not sent; null: it was. */
async function sendMutation(pipe: Pipe, { tab, input }: AskedMutation, sheet: string): Promise<Fault | null> {
  const begun = { id: crypto.randomUUID(), at: Date.now() }
  changeTab(tab, { run: { is: 'running', ...begun }, subscription: null, mutation: null })
  const answer = await pipe.call('mutation.send', { sheet, run: begun.id })
  if (!answer.ok) {
    changeTab(tab, { run: { is: 'none' } })
    return answer.fault
  }
  const { job, outcomes, answer: reply } = answer.value
  changeTab(tab, {
    run: reply === null ? { is: 'none' } : { is: 'answered', ...begun, answer: reply, connection: input.connection },
    mutation: { job, outcomes },
  })
  return null
}
