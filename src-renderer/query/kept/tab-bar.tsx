import { Plus, X } from 'lucide-react'
import { memo, useCallback, useEffect, type KeyboardEvent } from 'react'
import { Button } from 'react-aria-components'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../lib/context.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { afterFrames } from '../../lib/ui/focus.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { closeTab, showTab, tabs, type Tab } from '../query-state.ts'
import { isChanged, operations } from './operations.ts'
import { KeptTools, PanelToggle } from './kept-tools.tsx'
import { NoticeLine } from './notice-line.tsx'
import { notice } from './notice.ts'
import { newTab } from './new-tab.ts'
import { tabId, tabPanelId } from './tab-ids.ts'
import { tabTitle } from './tab-title.ts'
import '../../styles/query-kept.css'

/** The tabs of the query screen: arrows move, Delete or the middle button closes. */
export function TabBar() {
  const { session } = useAppContext()
  const { all, active } = useStore(tabs)
  useEffect(() => {
    document.getElementById(tabId(active))?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  const focus = () => afterFrames(() => document.getElementById(tabId(tabs.get().active))?.focus())
  const close = useCallback((id: string) => closeAsked(session.pipe, id), [session])
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = all.findIndex(({ id }) => id === active)
    const to = moveTo(event.key, at, all.length)
    const id = to === null ? null : all[to]?.id
    if (event.key === 'Delete') close(active)
    else if (id !== null && id !== undefined) showTab(id)
    else return
    event.preventDefault()
    focus()
  }
  return (
    <div className="query-tabs">
      <PanelToggle />
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus */}
      <div role="tablist" aria-label="Queries" className="query-tab-list" onKeyDown={onKeyDown}>
        {all.map((tab) => (
          <TabItem key={tab.id} tab={tab} active={tab.id === active} onClose={close} />
        ))}
      </div>
      <IconButton label="New tab (Ctrl Alt T)" onPress={newTab}>
        <Plus size={15} aria-hidden />
      </IconButton>
      <Button className="button subtle" onPress={() => close(active)}>
        Close tab
      </Button>
      <span className="spring" />
      <KeptTools />
      <NoticeLine />
    </div>
  )
}

function moveTo(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Closes a tab, ends its run, and offers to open it again. */
function closeAsked(pipe: Pipe, id: string): void {
  const closed = closeTab(id)
  if (closed === null) return
  const { run } = closed.tab
  if (run.is === 'running') void pipe.call('query.cancel', { run: run.id })
  notice.set({ text: `“${tabTitle(closed.tab, operations.get())}” closed.`, undo: closed.undo })
}

interface TabItemProps {
  tab: Tab
  active: boolean
  onClose: (id: string) => void
}

/** A tab. Those that do not change are not rendered again at each key in the editor. */
const TabItem = memo(function TabItem({ tab, active, onClose }: TabItemProps) {
  const known = useStore(operations)
  const title = tabTitle(tab, known)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list handles the keys
    <div
      id={tabId(tab.id)}
      role="tab"
      className="query-tab"
      aria-selected={active}
      aria-controls={tabPanelId}
      tabIndex={active ? 0 : -1}
      title={title}
      onClick={() => showTab(tab.id)}
      onAuxClick={(event) => {
        if (event.button === 1) onClose(tab.id)
      }}
      // The middle button would otherwise scroll.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
    >
      {tab.run.is === 'running' && <span className="query-tab-running" role="img" aria-label="Running" />}
      <Isolated className="query-tab-title">{title}</Isolated>
      {isChanged(tab, known) && (
        <span className="query-tab-mark" title="Not saved">
          <span aria-hidden>●</span>
          <span className="sr-only"> not saved</span>
        </span>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- for the mouse: Delete and the button beside close it too */}
      <span
        className="query-tab-close"
        aria-hidden
        onClick={(event) => {
          event.stopPropagation()
          onClose(tab.id)
        }}
      >
        <X size={12} />
      </span>
    </div>
  )
})
