import { ChevronRight, EllipsisVertical, FileDown, FileUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  Button,
  Collection,
  FileTrigger,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  Tree,
  TreeItem,
  TreeItemContent,
} from 'react-aria-components'
import type { SavedOperation } from '../../../src-shared/model/kept-queries.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { linkText } from '../../lib/link-text.ts'
import { saveFile } from '../../lib/save-file.ts'
import { shellOf, type Session } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { many } from '../../lib/format/numbers.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import {
  importFile,
  openMusterOperation,
  openOperation,
  operations,
  readOperations,
  removeOperation,
  saveOperation,
} from './operations.ts'
import { OperationDialog, type Naming } from './name-dialog.tsx'
import { isDone, notice } from './notice.ts'
import { foldersOf, type Folder, type Listed } from './folders.ts'

/** Saved operations by folders, those that come with Muster last. */
export function SavedList() {
  const { session, ticker } = useAppContext()
  const known = useStore(operations)
  const [text, setText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [naming, setNaming] = useState<Naming | null>(null)
  // Another window may have saved something since.
  useEffect(() => {
    void readOperations(session.pipe)
    return session.pipe.on('operations', () => void readOperations(session.pipe))
  }, [session])
  const folders = foldersOf(known.all ?? [], text)
  const expanded = folders.map(({ id }) => id).filter((id) => text !== '' || !closed.has(id))
  const listed = folders.flatMap((folder) => folder.operations)
  const exportThese = (ids: readonly string[] | null) => void exportFile(session, new Date(ticker.exact()), ids)
  const act = (key: string, what: Act) => {
    const found = listed.find(({ id }) => id === key)
    if (found === undefined) return
    if (what === 'export') exportThese([found.id])
    else actOn(session, found, what, setNaming)
  }
  return (
    <>
      <SavedTools
        text={text}
        onText={setText}
        canExport={(known.all?.length ?? 0) > 0}
        onExport={() => exportThese(null)}
      />
      <FaultNote fault={known.fault} />
      {known.all?.length === 0 && text === '' && <p className="kept-note">Nothing saved yet. Ctrl S saves the tab.</p>}
      {folders.length === 0 && <p className="kept-note">No matches.</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the tree in it has the focus */}
      <div
        className="kept-list"
        onKeyDown={(event) => {
          const key = document.activeElement?.getAttribute('data-key') ?? ''
          if (event.key === 'F2') act(key, 'rename')
          else if (event.key === 'Delete') act(key, 'delete')
        }}
      >
        <Tree
          className="kept-tree"
          aria-label="Saved operations"
          items={folders}
          expandedKeys={expanded}
          onExpandedChange={(keys) => setClosed(new Set(folders.map(({ id }) => id).filter((id) => !keys.has(id))))}
          onAction={(key) => act(String(key), 'open')}
        >
          {(folder) => <FolderItem folder={folder} onAct={act} onExport={exportThese} />}
        </Tree>
      </div>
      <OperationDialog naming={naming} onClose={() => setNaming(null)} />
    </>
  )
}

interface SavedToolsProps {
  text: string
  onText: (text: string) => void
  canExport: boolean
  onExport: () => void
}

function SavedTools({ text, onText, canExport, onExport }: SavedToolsProps) {
  const { session } = useAppContext()
  return (
    <div className="kept-tools">
      <input
        className="input"
        type="search"
        aria-label="Search saved operations"
        placeholder="Search"
        autoComplete="off"
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <FileTrigger
        acceptedFileTypes={['.graphql', '.gql', '.txt']}
        onSelect={(files) => files?.[0] !== undefined && void importFile(session.pipe, files[0])}
      >
        <IconButton label="Import a .graphql file" onPress={() => {}}>
          <FileUp size={15} aria-hidden />
        </IconButton>
      </FileTrigger>
      <IconButton label="Export as a .graphql file" disabled={!canExport} onPress={onExport}>
        <FileDown size={15} aria-hidden />
      </IconButton>
    </div>
  )
}

interface FolderProps {
  folder: Folder
  onAct: (key: string, what: Act) => void
  onExport: (ids: readonly string[]) => void
}

function FolderItem({ folder, onAct, onExport }: FolderProps) {
  const own = folder.operations.filter(({ isOwn }) => isOwn)
  return (
    <TreeItem id={folder.id} textValue={folder.name} className="kept-folder">
      <TreeItemContent>
        <Button slot="chevron" className="kept-chevron">
          <ChevronRight size={13} aria-hidden />
        </Button>
        <Isolated className="kept-name">{folder.name}</Isolated>
        <span className="muted-text">{folder.operations.length}</span>
        {own.length > 0 && (
          <IconButton
            label={`Export ${folder.name} as a .graphql file`}
            onPress={() => onExport(own.map(({ id }) => id))}
          >
            <FileDown size={14} aria-hidden />
          </IconButton>
        )}
      </TreeItemContent>
      <Collection items={folder.operations}>{(each) => <OperationItem operation={each} onAct={onAct} />}</Collection>
    </TreeItem>
  )
}

function OperationItem({ operation, onAct }: { operation: Listed; onAct: (key: string, what: Act) => void }) {
  const { id, name, isOwn } = operation
  return (
    <TreeItem id={id} textValue={name} className="kept-item">
      <TreeItemContent>
        <Isolated className="kept-name" title={name}>
          {name}
        </Isolated>
        <MenuTrigger>
          <Button className="icon-button" aria-label={`Actions of ${name}`}>
            <EllipsisVertical size={14} aria-hidden />
          </Button>
          <Popover className="popover">
            <Menu className="menu" onAction={(key) => onAct(id, String(key) as Act)}>
              <MenuItem id="open" className="menu-item">
                {isOwn ? 'Open' : 'Open a copy'}
              </MenuItem>
              <MenuItem id="link" className="menu-item">
                Copy link
              </MenuItem>
              {isOwn && (
                <>
                  <MenuItem id="export" className="menu-item">
                    Export as a .graphql file
                  </MenuItem>
                  <MenuItem id="rename" className="menu-item">
                    Rename or move…
                  </MenuItem>
                  <MenuItem id="delete" className="menu-item">
                    Delete
                  </MenuItem>
                </>
              )}
            </Menu>
          </Popover>
        </MenuTrigger>
      </TreeItemContent>
    </TreeItem>
  )
}

type Act = 'open' | 'link' | 'export' | 'rename' | 'delete'

function actOn(session: Session, listed: Listed, what: Exclude<Act, 'export'>, ask: (naming: Naming) => void): void {
  const { isOwn, ...operation } = listed
  switch (what) {
    case 'open':
      return isOwn ? openOperation(operation) : void openMusterOperation(operation.id)
    case 'link':
      return copyLink(session, operation.id)
    case 'rename':
      return isOwn ? ask(renaming(session, operation)) : undefined
    case 'delete':
      return isOwn ? void removeOperation(session.pipe, operation) : undefined
  }
}

const renaming = ({ pipe }: Session, operation: SavedOperation): Naming => ({
  title: 'Rename or move',
  act: 'Save',
  name: operation.name,
  folder: operation.folder,
  onName: (named) => void saveOperation(pipe, { ...operation, ...named }),
})

function copyLink(session: Session, id: string): void {
  const link = linkText({ to: 'operation', id }, shellOf(session))
  if (link === null) return
  void navigator.clipboard.writeText(link).then(
    () => notice.set({ text: 'Copied link. It opens on computers that have this operation.' }),
    () => notice.set({ text: 'The link could not be copied.' }),
  )
}

/** Saves own operations as one file. `ids`: null for all of them. */
async function exportFile(session: Session, now: Date, ids: readonly string[] | null): Promise<void> {
  const answer = await session.pipe.call('operations.export', { ids: ids === null ? null : [...ids] })
  if (!answer.ok) return void isDone(answer)
  const { text, count } = answer.value
  const name = fileName('operations', 'graphql', now)
  const saved = await saveFile(session.pipe, shellOf(session), name, 'application/graphql', [text])
  if (isDone(saved) && saved.ok && saved.where !== null)
    notice.set({ text: `${many(count, 'operation')} saved as ${saved.where}.` })
}
