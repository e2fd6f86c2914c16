import './batch/batch.css'
import { ChevronDown } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useStore } from '../lib/store.ts'
import { afterFrames } from '../lib/ui/focus.ts'
import { batchAsked } from './batch/asked.ts'
import { BatchDialog } from './batch/batch-dialog.tsx'

interface Props {
  connection: string | null
  /** Null where the document has one. */
  operation: string | null
  isDisabled: boolean
}

/** Runs the operation many times: to the end of its pages, or for each tenant. */
export function RunMore({ connection, operation, isDisabled }: Props) {
  const kind = useStore(batchAsked)
  // The menu first returns the focus, so that the dialog returns it to the same element.
  const then = (next: 'pages' | 'tenants') => () => void afterFrames(() => batchAsked.set(next))
  return (
    <>
      <MenuTrigger>
        <Button
          className="button query-more"
          aria-label="More ways to run"
          isDisabled={isDisabled || connection === null}
        >
          <ChevronDown size={14} aria-hidden />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label="More ways to run">
            <MenuItem className="menu-item" onAction={then('pages')}>
              All pages…
            </MenuItem>
            <MenuItem className="menu-item" onAction={then('tenants')}>
              In all tenants…
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {kind !== null && connection !== null && (
        <BatchDialog kind={kind} connection={connection} operation={operation} onDone={() => batchAsked.set(null)} />
      )}
    </>
  )
}
