import { useMemo, useState, type ComponentProps, type ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { ActionRequest } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import type { AskedAction, Subject } from '../device-actions.ts'
import { kindLabels } from '../labels.ts'
import { among, tenantsOf } from '../offers.ts'
import { MoveFields, type MoveTarget } from '../places/move-fields.tsx'
import { SheetView } from './sheet-view.tsx'
import { useSheet, type Prepared } from './use-sheet.ts'
import { useTenants } from './use-tenants.ts'

interface Props {
  asked: Extract<AskedAction, { what: 'devices' }>
  coreLost: boolean
  onDone: () => void
}

/** The dialog of a reboot, a rename or a move. */
export function DevicesDialog({ asked: { kind, subject }, ...shared }: Props) {
  if (kind === 'reboot') return <RebootDialog subject={subject} {...shared} />
  return kind === 'rename' ? (
    <RenameDialog subject={subject} {...shared} />
  ) : (
    <MoveDialog subject={subject} {...shared} />
  )
}

type KindProps = Pick<Props, 'coreLost' | 'onDone'> & { subject: Subject }

/** The frame of an action's dialog. A click beside it does not close it. */
export function ActionFrame({
  title,
  onDone,
  children,
}: {
  title: ReactNode
  onDone: () => void
  children: ReactNode
}) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal broad">
        <Dialog className="dialog action-dialog">
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function title(kind: 'reboot' | 'rename' | 'move', subject: Subject, { sheet }: Prepared): ReactNode {
  return (
    <>
      {kindLabels[kind]} {many(sheet?.total ?? subject.count, 'device')}
      {subject.name !== null && (
        <>
          : <Isolated>{subject.name}</Isolated>
        </>
      )}
    </>
  )
}

function RebootDialog({ subject, coreLost, onDone }: KindProps) {
  const { deviceActions } = useAppContext()
  const linked = useStore(deviceActions.state, (state) =>
    state === null ? false : among(state, tenantsOf(subject.targets)).some(({ linkedDevices }) => linkedDevices),
  )
  const [linkedDevices, setLinkedDevices] = useState(false)
  const request = useMemo<ActionRequest>(
    () => ({ kind: 'reboot', targets: subject.targets, linkedDevices }),
    [subject, linkedDevices],
  )
  const prepared = useSheet(request)
  return (
    <ActionFrame title={title('reboot', subject, prepared)} onDone={onDone}>
      <SheetView prepared={prepared} coreLost={coreLost} onDone={onDone}>
        {linked && (
          <label className="check">
            <input
              type="checkbox"
              checked={linkedDevices}
              onChange={(event) => setLinkedDevices(event.target.checked)}
            />
            <span>Reboot linked devices too, such as touch panels</span>
          </label>
        )}
      </SheetView>
    </ActionFrame>
  )
}

function RenameDialog({ subject, coreLost, onDone }: KindProps) {
  const one = 'keys' in subject.targets && subject.targets.keys.length === 1
  const [pattern, setPattern] = useState(one ? (subject.name ?? '') : '')
  const request = useMemo<ActionRequest | null>(
    () => (pattern.trim() === '' ? null : { kind: 'rename', targets: subject.targets, pattern: pattern.trim() }),
    [subject, pattern],
  )
  const prepared = useSheet(request)
  return (
    <ActionFrame title={title('rename', subject, prepared)} onDone={onDone}>
      <SheetView prepared={prepared} coreLost={coreLost} waiting="Enter a name." onDone={onDone}>
        <div className="form-field">
          <label htmlFor="rename-pattern">{one ? 'New name' : 'Pattern of the new names'}</label>
          <input
            id="rename-pattern"
            className="input"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
            autoFocus
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            placeholder={one ? '' : '{site} {room} {n:2}'}
            aria-describedby="rename-hint"
            value={pattern}
            onChange={(event) => setPattern(event.target.value)}
          />
          <p className="hint" id="rename-hint">
            <code>{'{name}'}</code>, <code>{'{site}'}</code>, <code>{'{room}'}</code>, <code>{'{model}'}</code>,{' '}
            <code>{'{serial}'}</code> and <code>{'{id}'}</code> stand for the device’s own; <code>{'{n}'}</code> counts
            from 1, <code>{'{n:3}'}</code> with three digits.
          </p>
        </div>
      </SheetView>
    </ActionFrame>
  )
}

function MoveDialog({ subject, coreLost, onDone }: KindProps) {
  const [target, setTarget] = useState<MoveTarget | null>(null)
  const request = useMemo<ActionRequest | null>(
    () =>
      target === null
        ? null
        : { kind: 'move', targets: subject.targets, site: target.site?.id ?? null, room: target.room?.id ?? null },
    [subject, target],
  )
  const prepared = useSheet(request)
  return (
    <ActionFrame title={title('move', subject, prepared)} onDone={onDone}>
      <SheetView prepared={prepared} coreLost={coreLost} waiting="Choose a site." onDone={onDone}>
        <Target subject={subject} target={target} onTarget={setTarget} />
      </SheetView>
    </ActionFrame>
  )
}

/** The fields for the place, once the one tenant of the devices is known. */
function Target({ subject, ...fields }: { subject: Subject } & Omit<ComponentProps<typeof MoveFields>, 'tenant'>) {
  const { tenants, again } = useTenants(subject.targets)
  if (tenants === null) return <p className="hint">Loading…</p>
  if (!tenants.ok) {
    const { title: what, advice } = explain(tenants.fault)
    return (
      <div role="alert">
        <p>
          {what} {advice}
        </p>
        <Button className="button" onPress={again}>
          Try again
        </Button>
      </div>
    )
  }
  const [tenant, ...more] = tenants.value
  if (more.length > 0) return <p>These devices belong to several tenants. Move those of one tenant at a time.</p>
  return tenant === undefined ? <p>No device matches any more.</p> : <MoveFields tenant={tenant} {...fields} />
}
