import { Library, Link2, Save } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { useAppContext } from '../../lib/context.ts'
import { linkText } from '../../lib/link-text.ts'
import { shellOf } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { activeTab, tabs } from '../query-state.ts'
import { OperationDialog, type Naming } from './name-dialog.tsx'
import { notice } from './notice.ts'
import { addOperation, operations } from './operations.ts'
import { sidePanel } from '../side-panel.ts'
import { tabTitle } from './tab-title.ts'
import { save, useKept } from './use-kept.ts'

/** Shows and hides the panel of saved operations and history. */
export function PanelToggle() {
  const isOpen = useStore(sidePanel, (panel) => panel === 'kept')
  return (
    <ToggleButton
      className="button query-panel-toggle"
      isSelected={isOpen}
      onChange={(open) => sidePanel.set(open ? 'kept' : null)}
    >
      <Library size={14} aria-hidden />
      Saved and history
    </ToggleButton>
  )
}

/** Saves the shown tab, and copies a link to it. */
export function KeptTools() {
  const { session } = useAppContext()
  const [naming, setNaming] = useState<Naming | null>(null)
  const ask = useCallback(() => {
    const title = tabTitle(activeTab(tabs.get()), operations.get())
    setNaming({
      title: 'Save operation',
      act: 'Save',
      name: title === 'Untitled' ? '' : title,
      folder: '',
      onName: (named) => void addOperation(session.pipe, named, activeTab(tabs.get())),
    })
  }, [session])
  useKept(ask)
  function copyLink() {
    const { document, variables } = activeTab(tabs.get())
    const values = variables.trim() === '{}' ? '' : variables
    const link = document === '' ? null : linkText({ to: 'query', document, variables: values }, shellOf(session))
    if (link === null)
      return notice.set({ text: 'A link holds about 1,400 characters. Save the operation and export it as a file.' })
    void navigator.clipboard.writeText(link).then(
      () => notice.set({ text: 'Copied link. It has the text and the variables, and opens without running.' }),
      () => notice.set({ text: 'The link could not be copied.' }),
    )
  }
  return (
    <>
      <Button className="button subtle" onPress={() => save(session.pipe, ask)}>
        <Save size={14} aria-hidden />
        Save operation
      </Button>
      <IconButton label="Copy link to this query" onPress={copyLink}>
        <Link2 size={14} aria-hidden />
      </IconButton>
      <OperationDialog naming={naming} onClose={() => setNaming(null)} />
    </>
  )
}
