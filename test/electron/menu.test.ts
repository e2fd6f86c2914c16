import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { menuLines, type MenuAction } from '../../src-main/platform/desktop/menu.ts'
import { offerContextMenu, templateOf } from '../../src-main/platform/electron/desktop/menu.ts'

const allOf = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? allOf(item.submenu) : [])])

describe('the menu as Electron takes it', () => {
  it('leaves F5 and Ctrl+R to the window, and has developer tools in development alone', () => {
    const text = (devTools: boolean) =>
      JSON.stringify(
        (['linux', 'win32', 'darwin'] as const).map((platform) => templateOf(menuLines(platform, devTools), () => {})),
      )
    expect(text(false)).not.toMatch(/reload|toggleDevTools|F5/i)
    expect(text(true)).toContain('toggleDevTools')
  })

  it('runs its actions, uses roles where the system acts by itself, and has no key twice', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      const deeds: MenuAction[] = []
      const items = allOf(templateOf(menuLines(platform, true), (action) => void deeds.push(action)))
      const acts = items.filter(({ click }) => click !== undefined)
      for (const { click } of acts) click?.({} as never, undefined, {} as never)
      expect(deeds).toHaveLength(acts.length)
      expect(items.filter(({ role, submenu }) => role === 'help' && submenu === undefined)).toEqual([])
      const keys = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [String(accelerator)]))
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
})

describe('the context menu in the page', () => {
  it('comes up where it has an action, and not elsewhere', () => {
    const contents = new EventEmitter()
    const shown: unknown[] = []
    offerContextMenu(
      contents as never,
      (template) =>
        void shown.push(
          template.map(({ role, type, enabled }) =>
            type === 'separator' ? '-' : `${role}${enabled === true ? '' : ' off'}`,
          ),
        ),
    )
    const can = { canCut: false, canCopy: true, canPaste: true, canSelectAll: true }
    contents.emit('context-menu', {}, { isEditable: false, selectionText: '  ', editFlags: can })
    contents.emit('context-menu', {}, { isEditable: false, selectionText: 'serial', editFlags: can })
    contents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags: { ...can, canCopy: false } })
    expect(shown).toEqual([['copy'], ['cut off', 'copy off', 'paste', '-', 'selectAll']])
  })
})
