import type { Room } from '../../src-shared/rooms.ts'
import { afterFrames } from '../ui/after-frames.ts'

export const pointsGroup = 'settings-points'

/** Opens the settings where reserve and ceiling are set, with the focus there. */
export function toPoints(onRoom: (room: Room) => void): void {
  onRoom('settings')
  afterFrames(() => document.querySelector<HTMLInputElement>(`#${pointsGroup} input`)?.focus())
}
