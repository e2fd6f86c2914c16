import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { origin } from '../../desktop/page.ts'

/**
 * Whether a message came from the page of a window of ours: its top frame, at our own origin. To be asked first and
 * synchronously: a frame that has navigated since is null or throws.
 */
export function isOurs(event: Pick<IpcMainInvokeEvent, 'senderFrame' | 'sender'>, known: (contents: WebContents) => boolean): boolean {
  try {
    const frame = event.senderFrame
    return frame !== null && frame.parent === null && frame.origin === origin && known(event.sender)
  } catch {
    return false
  }
}
