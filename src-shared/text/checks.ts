import type { Check } from '../model/connection.ts'

/** Labels of the checks that Muster makes of its own monitoring, for the middle of a sentence. */
export const checkLabels: Record<Check['check'], string> = {
  link: 'live connection',
  token: 'access token',
  heartbeat: 'heartbeat',
  clock: 'clock',
  balance: 'point balance',
}
