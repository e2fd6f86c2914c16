import type { Room } from '../../src-shared/rooms.ts'
import { afterFrames } from '../ui/after-frames.ts'

export const pointsGroup = 'settings-points'
export const updatesGroup = 'settings-updates'

/** Opens the settings where reserve and ceiling are set, with the focus there. */
export function toPoints(onRoom: (room: Room) => void): void {
  onRoom('settings')
  afterFrames(() => document.querySelector<HTMLInputElement>(`#${pointsGroup} input`)?.focus())
}

/** Opens the settings where updates are, with the focus on how they stand. */
export function toUpdates(onRoom: (room: Room) => void): void {
  onRoom('settings')
  afterFrames(() => document.querySelector<HTMLElement>(`#${updatesGroup} h3`)?.focus())
}
