import { assertNever } from '../../src-shared/model/fault.ts'
import { many } from '../lib/format/numbers.ts'
import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'
import type { AskedAction } from './device-actions.ts'
import { kindLabels } from './labels.ts'
import { ArmDialog } from './lock/arm-dialog.tsx'
import { RoomDialog, SiteDialog } from './places/place-dialog.tsx'
import { CsvDialog } from './sheet/csv-dialog.tsx'
import { ActionFrame, DevicesDialog } from './sheet/devices-dialog.tsx'
import { SheetView } from './sheet/sheet-view.tsx'
import { useFollowUp } from './sheet/use-sheet.ts'

/** The open dialog of an action. */
export function ActionDialogs({ coreLost }: { coreLost: boolean }) {
  const { deviceActions } = useAppContext()
  const asked = useStore(deviceActions.asked)
  const shared = { coreLost, onDone: deviceActions.close }
  switch (asked.what) {
    case 'none':
      return null
    case 'arm':
      return <ArmDialog tenants={asked.tenants} {...shared} />
    case 'devices':
      return <DevicesDialog asked={asked} {...shared} />
    case 'csv':
      return <CsvDialog {...shared} />
    case 'site':
      return <SiteDialog asked={asked} {...shared} />
    case 'room':
      return <RoomDialog asked={asked} {...shared} />
    case 'again':
    case 'undo':
      return <FollowUpDialog asked={asked} {...shared} />
    default:
      return assertNever(asked)
  }
}

/** Sends devices of a job again, or undoes it. */
function FollowUpDialog({
  asked,
  coreLost,
  onDone,
}: {
  asked: Extract<AskedAction, { what: 'again' | 'undo' }>
  coreLost: boolean
  onDone: () => void
}) {
  const prepared = useFollowUp(asked)
  const { sheet } = prepared
  const words = sheet === null ? 'Devices' : `${kindLabels[sheet.request.kind]} ${many(sheet.total, 'device')}`
  return (
    <ActionFrame title={asked.what === 'undo' ? `Undo: ${words.toLowerCase()}` : `${words} again`} onDone={onDone}>
      <SheetView prepared={prepared} coreLost={coreLost} onDone={onDone} />
    </ActionFrame>
  )
}
