import type { LinkOpening } from '../../../src-shared/model/environment.ts'

/** Who opens `muster://` links, in sentences. */
export function openingText({ here, named, chosen }: LinkOpening): string {
  if (named === null) return 'No desktop file opens muster:// links with this AppImage. Muster can write one for you.'
  if (named !== here) return `A desktop file of yours opens muster:// links with another AppImage: ${named}`
  const to = `A desktop file of yours opens muster:// links with this AppImage: ${here}`
  if (chosen === null)
    return `${to}. This computer has no xdg-mime to check it. If links do not open, choose Muster for them in the desktop’s settings.`
  return chosen
    ? `${to}. Where it is moved, start it once by hand.`
    : `${to}. But the desktop gives them to another application.`
}
