import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { sizeText } from '../../src-shared/text/diagnostics.ts'
import { SettingSwitch } from '../settings/fields/rows.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { many } from '../lib/format/numbers.ts'
import { useBundle, type Bundling, type Preview } from './use-bundle.ts'

/** The support bundle as a zip. All of it is shown before anything is written. */
export function BundleDialog({ onDone }: { onDone: () => void }) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onDone()}>
      <Modal className="modal bundle">
        <Dialog className="dialog">
          <Heading slot="title">Support bundle</Heading>
          <Bundle onDone={onDone} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Bundle({ onDone }: { onDone: () => void }) {
  const [pseudonyms, setPseudonyms] = useState(false)
  const [names, setNames] = useState(false)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const { bundling, busy, save, again } = useBundle({ pseudonyms, names })
  const chosen = bundling.state === 'shown' ? bundling.preview.files.filter(({ name }) => !excluded.has(name)) : []
  const exclude = (name: string, out: boolean) =>
    setExcluded((before) => new Set(out ? [...before, name] : [...before].filter((each) => each !== name)))
  const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <>
      <p>
        The bundle holds the files below; you can exclude out each of them. Muster writes nothing before you save it,
        and sends it nowhere. It contains no client secret and no token.
      </p>
      <div className="bundle-options">
        <BundleOption
          name="Made-up names"
          description="Hosts, connections, tenants and client ids get made-up names, the same each time; texts of the service stay. Support mostly needs the real addresses."
          on={pseudonyms}
          onChange={setPseudonyms}
        />
        <BundleOption
          name="Names of devices"
          description="In the journal’s statistics, the watch list, and the filters that you used."
          on={names}
          onChange={setNames}
        />
      </div>
      <Files bundling={bundling} excluded={excluded} onExclude={exclude} />
      <FaultNote fault={bundling.state === 'loading' ? null : bundling.fault} />
      <div className="dialog-actions">
        <span className="spring" role="status">
          {busy ? 'Putting it together…' : statusMessage(bundling, chosen.length, bytes)}
        </span>
        {bundling.state === 'failed' && (
          <Button className="button" onPress={again}>
            Try again
          </Button>
        )}
        <Button className="button" onPress={onDone}>
          {bundling.state === 'shown' && bundling.saved !== '' ? 'Done' : 'Cancel'}
        </Button>
        <Button
          className="button primary"
          isDisabled={busy || chosen.length === 0}
          onPress={() =>
            bundling.state === 'shown' &&
            void save(
              bundling.preview,
              chosen.map(({ name }) => name),
            )
          }
        >
          <Download size={14} aria-hidden />
          Save zip
        </Button>
      </div>
    </>
  )
}

function statusMessage(bundling: Bundling, files: number, bytes: number): string {
  if (bundling.state !== 'shown') return ''
  if (bundling.saved !== '') return `Saved as ${bundling.saved}.`
  return files === 0 ? 'No file is chosen.' : `${many(files, 'file')}, ${sizeText(bytes)} of text.`
}

function BundleOption({
  name,
  description,
  on,
  onChange,
}: {
  name: string
  description: string
  on: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <div className="bundle-option">
      <SettingSwitch label={name} on={on} disabled={false} onChange={onChange} />
      <span>
        <strong>{name}</strong> <span className="hint">{description}</span>
      </span>
    </div>
  )
}

interface FilesProps {
  bundling: Bundling
  excluded: ReadonlySet<string>
  onExclude: (name: string, out: boolean) => void
}

function Files({ bundling, ...rest }: FilesProps) {
  if (bundling.state === 'shown') return <Shown preview={bundling.preview} {...rest} />
  return <div className="bundle-files" />
}

function Shown({ preview: { files }, excluded, onExclude }: { preview: Preview } & Omit<FilesProps, 'bundling'>) {
  const [shownName, setShownName] = useState(files[0]?.name ?? '')
  const shown = files.find(({ name }) => name === shownName)
  return (
    <div className="bundle-files">
      <ul aria-label="Files">
        {files.map(({ name, what, bytes }) => (
          <li key={name} data-shown={name === shownName}>
            <input
              type="checkbox"
              aria-label={`Include ${name}`}
              checked={!excluded.has(name)}
              onChange={({ target }) => onExclude(name, !target.checked)}
            />
            <Button className="bundle-file" aria-pressed={name === shownName} onPress={() => setShownName(name)}>
              <span>{name}</span>
              <span className="amount">{sizeText(bytes)}</span>
              <span className="hint">{what}</span>
            </Button>
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <pre tabIndex={0} role="region" aria-label={`Text of ${shownName}`} data-left={excluded.has(shownName)}>
        {shown?.text ?? ''}
      </pre>
    </div>
  )
}
