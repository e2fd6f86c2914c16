import { isolated } from '../../../src-shared/text/direction.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { identifyingCopies } from '../../inventory/actions/copy.ts'
import { enterFilter } from '../../inventory/filter/field/enter-filter.ts'
import type { Inventory } from '../../inventory/inventory.ts'
import { type Segment, segments } from '../../inventory/filter/segments.ts'
import { selectedCount } from '../../inventory/table/selection.ts'
import { isWatchable } from '../../inventory/actions/watch.ts'
import { changeSettings } from '../../settings/change-settings.ts'
import { sharedText } from '../../team/shared-mark.tsx'
import { numberText, many } from '../../lib/format/numbers.ts'
import { type Item, item } from './item.ts'
import { inInventory, type PaletteContext, press } from './palette-context.ts'

const segmentLabels: Readonly<Record<Segment, string>> = {
  down: 'Show offline devices',
  any: 'Show all devices',
  connected: 'Show online devices',
  unknown: 'Show unknown devices',
}

export function filterItems(context: PaletteContext): readonly Item[] {
  const { inventory } = context
  const group = 'Find'
  const here = inventory.view.get()
  return [
    item({
      id: 'filter',
      group,
      label: 'Filter the devices',
      keys: '/',
      also: 'search find',
      run: inInventory(context, () => enterFilter(inventory)),
    }),
    ...segments.map((segment) =>
      item({
        id: `segment ${segment}`,
        group,
        label: segmentLabels[segment],
        also: 'list status down now',
        run: inInventory(context, () => inventory.setSegment(segment)),
      }),
    ),
    item({
      id: 'clear',
      group,
      label: 'Clear the filter',
      reason: here.filter === '' ? 'There is none.' : '',
      run: inInventory(context, () => inventory.setFilter('')),
    }),
    ...watchItems(context, group),
    item({
      id: 'copy link',
      group,
      label: 'Copy link to this list',
      also: 'place scope filter view share muster clipboard',
      run: () =>
        void inventory.actions.copyLink({
          to: 'devices',
          scope: here.path.at(-1)?.id ?? everything,
          filter: here.filter,
        }),
    }),
    item({
      id: 'everything',
      group,
      label: 'Show all tenants',
      also: 'back to everything scope place fleet',
      reason: here.path.length === 0 ? 'All tenants are shown.' : '',
      run: inInventory(context, () => inventory.setPath([])),
    }),
  ]
}

/** Returns the action that puts the listed place on the watch list or removes it, if the place can be watched. */
function watchItems(context: PaletteContext, group: string): readonly Item[] {
  const { inventory, incidents, app } = context
  const place = inventory.view.get().path.at(-1)
  const { watched } = app.settings
  if (place === undefined || !isWatchable(place.id)) return []
  const on = watched.includes(place.id)
  const turn = () =>
    void changeSettings(context, { watched: on ? watched.filter((id) => id !== place.id) : [...watched, place.id] })
  return [
    item({
      id: 'watch place',
      group,
      label: on
        ? `Remove ${isolated(place.name)} from the watch list`
        : `Add ${isolated(place.name)} to the watch list`,
      also: 'watch mark room site',
      hint: incidents.team.state.get() === null ? '' : sharedText,
      run: turn,
    }),
  ]
}

/** The devices of the actions: the selected ones, or else the present one. */
interface Subject {
  group: string
  hint: string
  /** Why the actions are disabled; '' when they are not. */
  reason: string
}

export function deviceItems(context: PaletteContext): readonly Item[] {
  const { inventory } = context
  const { selection, cursor, rows } = inventory
  const total = rows.state.get().total ?? 0
  const count = selectedCount(selection.state.get(), total)
  const group = 'Devices'
  const subject: Subject = {
    group,
    hint: count > 0 ? `${many(count, 'device')} selected` : 'the selected device',
    reason: count === 0 && cursor.state.get().key === null ? 'Choose a device first.' : '',
  }
  return [
    ...copyItems(inventory, subject),
    ...exportItems(inventory, group, total),
    ...selectionItems(context, group, { count, total }),
    ...columnItems(context, group),
  ]
}

function copyItems({ actions, columns }: Inventory, subject: Subject): readonly Item[] {
  return [
    item({
      ...subject,
      id: 'copy id',
      label: 'Copy ID',
      also: 'id clipboard',
      run: () => void actions.copy({ what: 'column', column: 'id', word: 'ID' }),
    }),
    ...identifyingCopies(columns.state.get().map(({ id }) => id)).map((what) =>
      item({
        ...subject,
        id: `copy ${what.column}`,
        label: `Copy ${what.word}`,
        also: 'column clipboard',
        run: () => void actions.copy(what),
      }),
    ),
    item({
      ...subject,
      id: 'copy rows',
      label: 'Copy the rows',
      keys: 'Ctrl C',
      also: 'tsv spreadsheet clipboard',
      run: () => void actions.copy({ what: 'rows' }),
    }),
    item({
      ...subject,
      id: 'copy json',
      label: 'Copy as JSON',
      also: 'clipboard',
      run: () => void actions.copy({ what: 'json' }),
    }),
  ]
}

/** Returns the actions that export the whole table. */
function exportItems({ actions }: Inventory, group: string, total: number): readonly Item[] {
  return [
    item({
      id: 'export csv',
      group,
      label: 'Export the table as CSV',
      also: 'download save spreadsheet excel',
      hint: many(total, 'device'),
      run: () => void actions.save('csv', true),
    }),
    item({
      id: 'export json',
      group,
      label: 'Export the table as JSON',
      also: 'download save',
      hint: many(total, 'device'),
      run: () => void actions.save('json', true),
    }),
  ]
}

/** Returns the actions that change the selection. `count`: how many of `total` devices are selected. */
function selectionItems(
  context: PaletteContext,
  group: string,
  { count, total }: { count: number; total: number },
): readonly Item[] {
  const { selection } = context.inventory
  return [
    item({
      id: 'select all',
      group,
      label: 'Select all devices of the table',
      keys: 'Ctrl A',
      hint: numberText(total),
      run: inInventory(context, selection.all),
    }),
    item({
      id: 'deselect',
      group,
      label: 'Clear the selection',
      keys: 'Esc',
      reason: count === 0 ? 'Nothing is selected.' : '',
      run: selection.clear,
    }),
  ]
}

function columnItems(context: PaletteContext, group: string): readonly Item[] {
  return [
    item({
      id: 'columns',
      group,
      label: 'Choose columns',
      also: 'fields order width more',
      run: inInventory(context, press('columns')),
    }),
    item({
      id: 'reset columns',
      group,
      label: 'Restore default columns',
      also: 'reset width order',
      run: context.inventory.columns.reset,
    }),
  ]
}
