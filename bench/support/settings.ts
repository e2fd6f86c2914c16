import type { CallInput } from '../../src-shared/contract/contract.ts'

type Changed = CallInput<'settings.change'>

/** Settings without delays: hold-off, grouping, the site-down threshold and flapping are off. */
export const atOnce: Changed = {
  holdOffSeconds: 0,
  recoverySeconds: 0,
  groupingSeconds: 0,
  siteDownDevices: 1000,
  flapTransitions: 100,
  fullSyncMinutes: 24 * 60,
}

/** Default settings with seconds in place of minutes. */
export const soon: Changed = { holdOffSeconds: 5, recoverySeconds: 5, groupingSeconds: 3, fullSyncMinutes: 24 * 60 }
