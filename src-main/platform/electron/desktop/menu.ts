import type { MenuItemConstructorOptions, WebContents } from 'electron'
import { contextLines, type MenuAction, type MenuLine } from '../../desktop/menu.ts'

/** Returns menu items as Electron's template. */
export function templateOf(
  lines: readonly MenuLine[],
  perform: (action: MenuAction) => void,
): MenuItemConstructorOptions[] {
  return lines.map((line): MenuItemConstructorOptions => {
    switch (line.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'role':
        return { role: line.role, enabled: line.enabled ?? true }
      case 'menu':
        return {
          label: line.label,
          submenu: templateOf(line.lines, perform),
          ...(line.help === true && { role: 'help' }),
        }
      case 'item':
        return {
          label: line.label,
          visible: line.hidden !== true,
          click: () => perform(line.action),
          ...(line.keys !== undefined && { accelerator: line.keys }),
        }
    }
  })
}

/** Offers the system's context menu in fields and for selected text, where the page has no menu of its own. */
export function offerContextMenu(
  contents: Pick<WebContents, 'on'>,
  popup: (template: MenuItemConstructorOptions[]) => void,
): void {
  contents.on('context-menu', (_event, clicked) => {
    const lines = contextLines(clicked)
    if (lines.length > 0) popup(templateOf(lines, () => {}))
  })
}
