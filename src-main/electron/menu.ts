import type { MenuItemConstructorOptions } from 'electron'

/**
 * The application's menu: what the system expects of one, and the keys that come with it (copy and paste need it on
 * macOS). The window's own keys, F5 among them, are the window's.
 */
export function menuTemplate(platform: NodeJS.Platform, devTools: boolean): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { type: 'separator' }, { role: 'togglefullscreen' },
  ]
  const own: MenuItemConstructorOptions = platform === 'darwin' ? { role: 'appMenu' } : { label: 'File', submenu: [{ role: 'close' }, { role: 'quit' }] }
  return [
    own,
    { role: 'editMenu' },
    { label: 'View', submenu: devTools ? [...view, { type: 'separator' }, { role: 'toggleDevTools' }] : view },
    ...(platform === 'darwin' ? [{ role: 'windowMenu' } as const] : []),
  ]
}
