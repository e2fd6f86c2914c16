import { origin } from './page.ts'

/** A message from a page, as in Electron. */
export interface Sent<Contents> {
  sender: Contents
  senderFrame: { parent: unknown; origin: string } | null
}

/**
 * Returns whether a message came from the top frame of a window of ours, at our own origin. Must be called first and
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
