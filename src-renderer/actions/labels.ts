import type { JobKind } from '../../src-shared/model/jobs.ts'

/** Names of the actions, as their menu items and buttons begin. */
export const kindLabels: Record<JobKind, string> = {
  reboot: 'Reboot',
  rename: 'Rename',
  move: 'Move',
  update: 'Change',
  site: 'Save the site',
  room: 'Save the room',
}

/** Returns the time left as "14:32", and with hours as "1:04:05". */
export function clockLeft(until: number, now: number): string {
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  const pad = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`
}
