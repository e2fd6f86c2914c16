import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ActivationArguments, MenuItemConstructorOptions, NotificationConstructorOptions } from 'electron'
import { answerTest, did } from './channel.ts'
import { isHostile } from './hostile.ts'

/** Reports what Electron would do to the desktop to the test instead. */
export function createDesktop() {
  const notifications = new Map<string, StandInNotification>()
  const trays = new Set<StandInTray>()

  class StandInImage {
    readonly file: string
    constructor(file: string) {
      this.file = file
    }
    isEmpty = () => !existsSync(this.file)
  }
  const nativeImage = {
    createFromPath: (file: string) => {
      const image = new StandInImage(file)
      // Electron answers with an empty image, which nobody would see.
      if (image.isEmpty()) throw new Error(`there is no image ${file}`)
      return image
    },
  }

  let application: StandInMenu | null = null
  class StandInMenu extends EventEmitter {
    readonly items: MenuItemConstructorOptions[]
    constructor(items: MenuItemConstructorOptions[]) {
      super()
      this.items = items
    }
    static buildFromTemplate = (template: MenuItemConstructorOptions[]) => new StandInMenu(template)
    static setApplicationMenu = (menu: StandInMenu | null) => {
      application = menu
    }
    popup(): void {
      did({ deed: 'context-menu', items: this.items.map(({ role, type }) => role ?? type ?? '') })
    }
  }

  class StandInTray extends EventEmitter {
    image: StandInImage
    words = ''
    menu: StandInMenu | null = null
    constructor(image: StandInImage) {
      super()
      this.image = image
      trays.add(this)
    }
    setImage(image: StandInImage): void {
      this.image = image
    }
    setToolTip(words: string): void {
      this.words = words
    }
    setContextMenu(menu: StandInMenu): void {
      this.menu = menu
      did({
        deed: 'tray',
        image: path.basename(this.image.file),
        words: this.words,
        menu: allOf(menu.items).map(({ label, type }) => label ?? type ?? ''),
      })
    }
    destroy(): void {
      trays.delete(this)
    }
  }

  let activated: (details: ActivationArguments) => void = () => {
    throw new Error('nobody listens to clicks on toasts of a former run')
  }
  class StandInNotification extends EventEmitter {
    readonly options: NotificationConstructorOptions
    static isSupported = () => true
    static getHistory = (): Promise<StandInNotification[]> =>
      isHostile('history-never-answers') ? new Promise(() => {}) : Promise.resolve([])
    static handleActivation = (listener: (details: ActivationArguments) => void) => void (activated = listener)
    constructor(options: NotificationConstructorOptions) {
      super()
      if ((options.id ?? '').length > 64)
        throw new Error('Notification id exceeds Windows limit of 64 UTF-16 characters')
      this.options = options
    }
    show(): void {
      const { id = '', title = '', body = '', silent = false, toastXml = '' } = this.options
      notifications.set(id, this)
      did({ deed: 'notification', id, title, body, silent, toast: toastXml })
    }
    close(): void {
      const { id = '' } = this.options
      if (notifications.delete(id)) did({ deed: 'notification-closed', id })
    }
  }

  answerTest('tray-click', ({ label }) => {
    for (const tray of trays) {
      if (label === null) tray.emit('click')
      else
        allOf(tray.menu?.items ?? [])
          .find((item) => item.label === label)
          ?.click?.({} as never, undefined, {} as never)
    }
  })
  answerTest('menu-click', ({ label }) => {
    const item = allOf(application?.items ?? []).find((each) => each.label === label)
    if (item?.click === undefined) throw new Error(`the menu has no ${label}`)
    item.click({} as never, undefined, {} as never)
  })
  answerTest('tray-menu', ({ open }) => {
    for (const tray of trays) tray.menu?.emit(open ? 'menu-will-show' : 'menu-will-close')
  })
  answerTest('notification-click', ({ notification }) => void notifications.get(notification)?.emit('click', {}))
  // What Windows hands on is what the toast's own XML has; Electron's has nothing.
  answerTest('former-toast-click', ({ toast }) =>
    activated({
      type: 'click',
      arguments: (/^<toast launch="([^"]*)"/.exec(toast)?.[1] ?? '').replaceAll('&amp;', '&'),
    }),
  )
  answerTest(
    'notification-fail',
    ({ notification }) => void notifications.get(notification)?.emit('failed', {}, 'the system refused'),
  )
  return { nativeImage, Menu: StandInMenu, Tray: StandInTray, Notification: StandInNotification }
}

/** The entries with those of their submenus, as shown. */
function allOf(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? allOf(item.submenu) : [])])
}
