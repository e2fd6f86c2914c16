import type { LinkOpening } from '../../../src-shared/model/environment.ts'

/** Who opens `muster://` links, in sentences. */
export function openingText({ here, named, chosen }: LinkOpening): string {
  if (named === null)
    return 'Nothing has told this desktop that muster:// links are for this AppImage. A desktop file of yours, with Muster’s icon, can say so.'
  if (named !== here) return `A desktop file of yours opens muster:// links with another AppImage: ${named}`
  const to = `A desktop file of yours opens muster:// links with this AppImage: ${here}`
  if (chosen === null)
    return `${to}. Whether the desktop goes by it cannot be found out, because xdg-mime is not on this computer: where links do not open, choose Muster for them in the desktop’s own settings.`
  return chosen
    ? `${to}. Where it is moved, start it once by hand.`
    : `${to}. But the desktop gives them to another application.`
}
