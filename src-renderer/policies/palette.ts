import { item, type Item } from '../app/palette/item.ts'
import { afterFrames } from '../lib/ui/focus.ts'
import type { NamedNode, PolicyEditor } from './policy-editor.ts'
import { maintenanceGroup } from './section.tsx'

interface Context {
  policyEditor: PolicyEditor
  windows: number
  /** The scope of the inventory, below the region; null for everything. */
  place: NamedNode | null
  /** True for a room, whose zone is its site’s. */
  room: boolean
  toSettings: () => void
}

const group = 'Maintenance windows'

/** Returns the palette's actions for maintenance windows, and for the policies of the inventory's scope. */
export function policyItems({ policyEditor, windows, place, room, toSettings }: Context): readonly Item[] {
  const { undo } = policyEditor.acted.get()
  const reason = place === null ? 'Choose a tenant, account, site or room first.' : ''
  const hint = place?.name ?? ''
  const here = (run: (node: NamedNode) => void) => () => void (place !== null && run(place))
  const show = () => {
    toSettings()
    afterFrames(() => {
      document.getElementById(maintenanceGroup)?.scrollIntoView({ block: 'start' })
      document.querySelector<HTMLElement>(`#${maintenanceGroup} button`)?.focus({ preventScroll: true })
    })
  }
  return [
    item({
      id: 'maintenance new',
      group,
      label: 'New maintenance window',
      also: 'quiet patching schedule',
      run: () => void policyEditor.askWindow(null),
    }),
    item({
      id: 'maintenance here',
      group,
      label: 'Maintenance window here',
      also: 'quiet patching scope place',
      hint,
      reason,
      run: here((node) => void policyEditor.askWindow(node)),
    }),
    item({
      id: 'maintenance list',
      group,
      label: 'Show the maintenance windows',
      also: 'quiet list settings',
      hint: String(windows),
      run: show,
    }),
    ...ofPlace({ policyEditor, room }, { hint, reason, here }),
    item({
      id: 'maintenance undo',
      group,
      label: 'Undo the last change of maintenance windows, places and notes',
      also: 'take back',
      reason: undo === null ? 'There is nothing to undo.' : '',
      run: () => void policyEditor.undo(),
    }),
  ]
}

interface Here {
  hint: string
  reason: string
  here: (run: (node: NamedNode) => void) => () => void
}

/** What is set on the place of the inventory. */
function ofPlace({ policyEditor, room }: Pick<Context, 'policyEditor' | 'room'>, { hint, reason, here }: Here): Item[] {
  return [
    item({
      id: 'zone here',
      group,
      label: 'Time zone of this place',
      also: 'clock scope tenant account site',
      hint,
      reason: room ? 'A room has that of its site.' : reason,
      run: here((node) => void policyEditor.ask('zone', node)),
    }),
    item({
      id: 'thresholds here',
      group,
      label: 'Alert rules of this place',
      also: 'threshold rules wait scope',
      hint,
      reason,
      run: here((node) => void policyEditor.ask('thresholds', node)),
    }),
    item({
      id: 'note here',
      group,
      label: 'Note and tags of this place',
      also: 'contact comment label scope',
      hint,
      reason,
      run: here((node) => policyEditor.askNote(node)),
    }),
  ]
}
