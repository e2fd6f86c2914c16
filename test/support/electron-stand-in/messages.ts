/** The messages between the stand-in in the main process and the test that holds the browser, over Node's own channel. */
export type ToTest =
  | { say: 'reply'; id: number; value: unknown }
  | { say: 'loaded'; url: string; preload: string }
  | { say: 'send'; page: number | null; channel: string; args: unknown[] }
  | { say: 'reload' }
  | { say: 'did'; what: Deed }
  | { say: 'pdf'; id: number; options: { printBackground?: boolean; preferCSSPageSize?: boolean } }
  | { say: 'secret'; id: number; call: 'get' | 'set' | 'delete'; account: string; secret: string }

/** The main process's effects on the desktop. */
export type Deed =
  | { deed: 'tray'; image: string; words: string; menu: string[] }
  | { deed: 'badge'; count: number }
  | { deed: 'notification'; id: string; title: string; body: string; silent: boolean; toast: string }
  | { deed: 'identified'; name: string; appUserModelId: string; activator: string }
  | { deed: 'notification-closed'; id: string }
  | { deed: 'external'; url: string }
  | { deed: 'relaunch'; execPath: string; args: string[] }
  | { deed: 'shown' | 'hidden' | 'focused' | 'flashed' | 'window-destroyed' }
  | { deed: 'error-box'; title: string; text: string }
  | { deed: 'message-box'; message: string; detail: string }
  | { deed: 'save-dialog'; path: string }
  | { deed: 'protocol'; scheme: string; program: string; args: string[] }
  | { deed: 'login'; on: boolean; args: string[] }
  | { deed: 'told-first'; more: unknown }
  | { deed: 'theme'; source: 'system' | 'light' | 'dark' }
  | { deed: 'clipboard'; text: string }
  | { deed: 'made'; x: number | null; y: number | null; width: number; height: number; ground: string }
  | { deed: 'shown-inactive' | 'maximized' | 'minimized' }
  | { deed: 'full-screen'; on: boolean }
  | { deed: 'zoom'; level: number }
  | { deed: 'context-menu'; items: string[] }
  | { deed: 'dock-hidden' }

export type FromTest = { ask: string; id: number } & (
  | { ask: 'request'; url: string; page: number }
  | { ask: 'navigate'; url: string; isMainFrame: boolean }
  | { ask: 'open-window'; url: string }
  | { ask: 'permission'; permission: string; origin: string }
  | { ask: 'invoke'; page: number; origin: string; top: boolean; channel: string; args: unknown[] }
  | { ask: 'attach'; page: number }
  | { ask: 'detach'; page: number }
  | { ask: 'tray-click'; label: string | null }
  | { ask: 'tray-menu'; open: boolean }
  | { ask: 'notification-click'; notification: string }
  | { ask: 'notification-fail'; notification: string }
  | { ask: 'former-toast-click'; toast: string }
  | { ask: 'close-window' }
  | { ask: 'focus' }
  | { ask: 'page-ends' }
  | { ask: 'second-instance'; told: unknown }
  | { ask: 'open-url'; url: string }
  | { ask: 'call-off-saves'; on: boolean }
  | { ask: 'power'; word: 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen' | 'shutdown' }
  | { ask: 'menu-click'; label: string }
  | { ask: 'context-menu'; isEditable: boolean; selectionText: string }
  | { ask: 'move-window'; x: number; y: number; width: number; height: number; maximized: boolean }
  | { ask: 'wheel'; direction: 'in' | 'out' }
  | { ask: 'secret-reply'; value: unknown }
  | { ask: 'pdf-reply'; bytes: string }
)

/** An answer to the page's own request, as the scheme's handler gave it; null when it was cancelled. */
export interface Served {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

export type Invoked = { ok: true; value: unknown } | { ok: false; error: string }
