import { Check, Copy, KeyRound } from 'lucide-react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { assertNever } from '../../../src-shared/model/fault.ts'
import type { ImportLine } from '../../../src-shared/model/connection.ts'
import type { AppState } from '../../lib/session.ts'
import { useCopied } from '../../lib/ui/buttons/copy-button.tsx'
import { FileButton, PasteField } from '../../lib/ui/list-source.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import { many } from '../../lib/format/numbers.ts'
import { ignoredText, ImportLines, secretsText, summary } from './import-lines.tsx'
import { importTemplate } from './import-text.ts'
import { useImport, type Importing } from './use-import.ts'
import { reasonText } from '../format.ts'

interface Props {
  keychain: AppState['keychain']
  onDone: () => void
  onStored: () => void
}

/** The import of many connections: the text is read, previewed line by line, and then stored. */
export function ImportDialog(props: Props) {
  const importing = useImport(props.onStored)
  const leaving = useLeaving(() => usable(importing.importing) > 0, props.onDone)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal broad">
        <Dialog className="dialog">
          <Heading slot="title">Import connections</Heading>
          <ImportBody {...props} {...importing} onDone={leaving.leave} />
          {leaving.asking && <LeaveDialog what="The list has not been imported." leaving={leaving} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function ImportBody({
  keychain,
  onDone,
  importing,
  take,
  read,
  apply,
  again,
}: Omit<Props, 'onStored'> & ReturnType<typeof useImport>) {
  if (importing.state === 'stored') return <Stored importing={importing} onDone={onDone} />
  return (
    <>
      {importing.state !== 'previewed' && (
        <Source
          keychain={keychain}
          busy={importing.state === 'busy'}
          onText={(text) => void take(text)}
          onFile={(file) => void read(file)}
        />
      )}
      <p role="status" className="import-status">
        {statusMessage(importing)}
      </p>
      <FaultNote fault={importing.state === 'failed' ? importing.fault : null} />
      {importing.state === 'previewed' && importing.ignored.length > 0 && (
        <p role="status" className="import-ignored">
          {ignoredText(importing.ignored)}
        </p>
      )}
      {importing.state === 'previewed' && <MissingSecrets lines={importing.lines} />}
      {importing.state === 'previewed' && <ImportLines lines={importing.lines} focused />}
      <div className="dialog-actions">
        {importing.state === 'previewed' && (
          <Button className="button" onPress={again}>
            Take another list
          </Button>
        )}
        <span className="spring" />
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
        {importing.state === 'previewed' && <Apply importing={importing} onApply={() => void apply()} />}
      </div>
    </>
  )
}

/** Returns how many connections the previewed list would create or change. */
function usable(importing: Importing): number {
  return importing.state === 'previewed'
    ? importing.lines.filter(({ what }) => what === 'add' || what === 'change').length
    : 0
}

function Apply({ importing, onApply }: { importing: Importing; onApply: () => void }) {
  const count = usable(importing)
  return (
    <Button className="button primary" isDisabled={count === 0} onPress={onApply}>
      {count === 0 ? 'Nothing to import' : `Import ${many(count, 'connection')}`}
    </Button>
  )
}

/** The source of the import. Pasted text is shown in no field, because it contains secrets. */
function Source({
  keychain,
  busy,
  onText,
  onFile,
}: {
  keychain: AppState['keychain']
  busy: boolean
  onText: (text: string) => void
  onFile: (file: File) => void
}) {
  const place = {
    keychain: `this computer’s keychain (${keychain.detail})`,
    locked: `memory, and into this computer’s keychain as soon as that is unlocked (${keychain.detail})`,
    session: `memory until Muster quits (${reasonText(keychain.detail)})`,
  }[keychain.kind]
  return (
    <>
      <p>
        A CSV file, or lines copied from a spreadsheet, with a head: <code>name</code>, <code>token_url</code>,{' '}
        <code>graphql_url</code>, <code>subscription_url</code>, <code>client_id</code>, <code>client_secret</code>, and
        if wanted <code>ca</code>, <code>subscription</code>, <code>portal</code>. A line whose name is known changes
        that connection.
      </p>
      <PasteField busy={busy} onText={onText} />
      <div className="import-file">
        <FileButton busy={busy} onFile={onFile} />
        <CopyTemplate />
        <span className="hint">Read here and never stored. Secrets are not shown; they go to {place}.</span>
      </div>
    </>
  )
}

function CopyTemplate() {
  const { copied, copy } = useCopied(importTemplate)
  return (
    <Button className="button" onPress={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {copied ? 'Copied the template' : 'Copy a template'}
    </Button>
  )
}

/** Says which lines lack a secret, before and after they are stored. */
function MissingSecrets({ lines, stored = false }: { lines: readonly ImportLine[]; stored?: boolean }) {
  const words = secretsText(lines, stored)
  return words === '' ? null : (
    <p role="status" className="import-lacking">
      <KeyRound size={14} aria-hidden />
      {words}
    </p>
  )
}

function Stored({ importing, onDone }: { importing: Extract<Importing, { state: 'stored' }>; onDone: () => void }) {
  const rejected = importing.lines.filter(({ what }) => what === 'reject')
  return (
    <>
      <p role="status">
        <strong>{many(importing.stored, 'connection')} stored.</strong>{' '}
        {rejected.length === 0
          ? importing.lines.some(({ lacksSecret }) => lacksSecret)
            ? ''
            : 'They connect now.'
          : `${many(rejected.length, 'line')} rejected:`}
      </p>
      <MissingSecrets lines={importing.lines} stored />
      {rejected.length > 0 && <ImportLines lines={rejected} />}
      <div className="dialog-actions">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone */}
        <Button className="button primary" autoFocus onPress={onDone}>
          Done
        </Button>
      </div>
    </>
  )
}

function statusMessage(importing: Importing): string {
  switch (importing.state) {
    case 'none':
    case 'failed':
    case 'stored':
      return ''
    case 'busy':
      return importing.what
    case 'previewed':
      return summary(importing.lines)
    default:
      return assertNever(importing)
  }
}
