import type { EventData } from '../../../src-shared/contract/contract.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { screens, type Screen } from '../../../src-shared/navigation/screens.ts'

/** The action of a menu item, unless the system performs it. */
export type MenuAction =
  | { do: 'open'; what: EventData<'open'> }
  | { do: 'zoom'; by: -1 | 0 | 1 }
  | { do: 'about' }
  /** Checks for an update, and shows the result. */
  | { do: 'check'; what: EventData<'open'> }

/** Actions of the system, with its own label and key. */
export type Role =
  | 'editMenu'
  | 'windowMenu'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'close'
  | 'togglefullscreen'
  | 'toggleDevTools'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'

export type MenuLine =
  | { kind: 'separator' }
  | { kind: 'role'; role: Role; enabled?: boolean }
  /** `hidden`: only its key is active. */
  | { kind: 'item'; label: string; keys?: string; hidden?: boolean; action: MenuAction }
  /** `help`: macOS adds its search there. */
  | { kind: 'menu'; label: string; help?: boolean; lines: MenuLine[] }

const separator: MenuLine = { kind: 'separator' }
const role = (name: Role): MenuLine => ({ kind: 'role', role: name })
const item = (label: string, action: MenuAction, keys?: string): MenuLine => ({
  kind: 'item',
  label,
  action,
  ...(keys !== undefined && { keys }),
})
const open = (part: Pick<EventData<'open'>, 'screen' | 'dialog' | 'wall'>): MenuAction => ({
  do: 'open',
  what: { scope: everything, filter: '', device: null, ...part },
})

const screenItem = (screen: Screen, index: number): MenuLine =>
  item(`${screen[0]?.toUpperCase()}${screen.slice(1)}`, open({ screen }), `CmdOrCtrl+${index + 1}`)

/**
 * Returns the application's menu as each system expects it. The page handles its own keys, F5 among them; zoom is
 * Muster's own, because it is stored. `devTools`: in development only.
 */
export function menuLines(platform: NodeJS.Platform, devTools: boolean): MenuLine[] {
  const mac = platform === 'darwin'
  const about = item('About Muster', { do: 'about' })
  const settings = item(mac ? 'Settings…' : 'Settings', open({ screen: 'settings' }), 'CmdOrCtrl+,')
  const check: MenuLine = item('Check for Updates…', {
    do: 'check',
    what: { scope: everything, filter: '', device: null, screen: 'settings', section: 'updates' },
  })
  const add = item('Add a Connection…', open({ dialog: 'connection' }))
  const app: MenuLine = {
    kind: 'menu',
    label: 'Muster',
    lines: [
      about,
      check,
      separator,
      settings,
      separator,
      role('services'),
      separator,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      separator,
      role('quit'),
    ],
  }
  const file: MenuLine = {
    kind: 'menu',
    label: 'File',
    lines: mac ? [add, separator, role('close')] : [add, separator, settings, separator, role('close'), role('quit')],
  }
  const help: MenuLine = {
    kind: 'menu',
    label: 'Help',
    help: true,
    lines: [
      item('List of Keys', open({ dialog: 'keys' })),
      item('Diagnostics and Support Bundle', open({ screen: 'diagnostics' })),
      ...(mac ? [] : [separator, check, about]),
    ],
  }
  return [...(mac ? [app] : []), file, role('editMenu'), view(devTools), role('windowMenu'), help]
}

function view(devTools: boolean): MenuLine {
  return {
    kind: 'menu',
    label: 'View',
    lines: [
      ...screens.map(screenItem),
      separator,
      item('Actual Size', { do: 'zoom', by: 0 }, 'CmdOrCtrl+0'),
      item('Zoom In', { do: 'zoom', by: 1 }, 'CmdOrCtrl+Plus'),
      // The same key without Shift.
      { kind: 'item', label: 'Zoom In', keys: 'CmdOrCtrl+=', hidden: true, action: { do: 'zoom', by: 1 } },
      item('Zoom Out', { do: 'zoom', by: -1 }, 'CmdOrCtrl+-'),
      separator,
      // The page handles its key itself, where the menu does not get it before.
      item('Wall Display', open({ wall: true }), 'F11'),
      role('togglefullscreen'),
      ...(devTools ? [separator, role('toggleDevTools')] : []),
    ],
  }
}

/** Chromium's description of the right-clicked position. */
export interface Clicked {
  isEditable: boolean
  selectionText: string
  editFlags: { canCut: boolean; canCopy: boolean; canPaste: boolean; canSelectAll: boolean }
}

/**
 * Returns the context menu: text actions in a field, Copy for selected text, otherwise none. Not called where the page
 * has its own menu.
 */
export function contextLines({ isEditable, selectionText, editFlags: can }: Clicked): MenuLine[] {
  const editItem = (name: Role, enabled: boolean): MenuLine => ({ kind: 'role', role: name, enabled })
  if (isEditable)
    return [
      editItem('cut', can.canCut),
      editItem('copy', can.canCopy),
      editItem('paste', can.canPaste),
      separator,
      editItem('selectAll', can.canSelectAll),
    ]
  return selectionText.trim() === '' ? [] : [editItem('copy', can.canCopy)]
}

/** Returns the text of the About box; `copy` is the same for a report. */
export function aboutText(
  version: string,
  { electron = '', chrome = '', node = '' }: Partial<Record<string, string>>,
  system: string,
): { message: string; detail: string; copy: string } {
  const message = `Muster ${version}`
  const facts = [`Electron ${electron}`, `Chromium ${chrome}`, `Node.js ${node}`, system].join('\n')
  return {
    message,
    detail: `${facts}\n\nUnder the MIT licence. The licences of what it is made of come with it.`,
    copy: `${message}\n${facts}\n`,
  }
}
