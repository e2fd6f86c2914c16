import type { Settings } from '../../src-shared/model/settings.ts'
import { wallPages, type WallPage } from '../../src-shared/model/wall.ts'
import type { Times } from '../lib/format/time.ts'

/** Returns the pages to show, in order. A page of incidents is left out while there are none, unless it is the only one. */
export function pagesNow(chosen: readonly WallPage[], incidents: number): readonly WallPage[] {
  const all = wallPages.filter((page) => chosen.includes(page))
  const shown = all.filter((page) => page !== 'incidents' || incidents > 0)
  return shown.length === 0 ? all : shown
}

/** Returns the page that is `step` pages after this one; the first one where this one is not shown. */
export function nextPage(pages: readonly WallPage[], page: WallPage, step: 1 | -1): WallPage {
  const at = pages.indexOf(page)
  const next = at === -1 ? 0 : (at + step + pages.length) % pages.length
  return pages[next] ?? page
}

/** Returns by how much the display is darker at a time (ms), from 0 to 0.9. Hours may go over midnight. */
export function dimmedBy(
  { wallDimPercent, wallDimFrom, wallDimUntil }: Pick<Settings, 'wallDimPercent' | 'wallDimFrom' | 'wallDimUntil'>,
  now: number,
  times: Times,
): number {
  const date = new Date(now)
  const hour = times === 'utc' ? date.getUTCHours() : date.getHours()
  const isDimmed =
    wallDimFrom <= wallDimUntil
      ? hour >= wallDimFrom && hour < wallDimUntil
      : hour >= wallDimFrom || hour < wallDimUntil
  return isDimmed ? wallDimPercent / 100 : 0
}
