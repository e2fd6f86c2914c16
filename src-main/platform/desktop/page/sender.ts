import { origin } from './page.ts'

/** A message from a page, as Electron tells it. */
export interface Sent<Contents> {
  sender: Contents
  senderFrame: { parent: unknown; origin: string } | null
}

/**
 * Whether a message came from the page of a window of ours: its top frame, at our own origin. To be asked first and
 * synchronously: a frame that has navigated since is null or throws.
 */
export function isOurs<Contents>(event: Sent<Contents>, known: (contents: Contents) => boolean): boolean {
  try {
    const frame = event.senderFrame
    return frame !== null && frame.parent === null && frame.origin === origin && known(event.sender)
  } catch {
    return false
  }
}
