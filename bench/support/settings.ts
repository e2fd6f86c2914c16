import type { CallInput } from '../../src-shared/contract/contract.ts'

type Changed = CallInput<'settings.change'>

/** Everything is told at once and by itself: hold-off, gathering, folding and flapping are off. */
export const atOnce: Changed = {
  holdOffSeconds: 0,
  recoverySeconds: 0,
  groupingSeconds: 0,
  siteDownDevices: 1000,
  flapTransitions: 100,
  fullSyncMinutes: 24 * 60,
}

/** The figures of an operator who changed nothing, but with seconds in the place of minutes. */
export const soon: Changed = { holdOffSeconds: 5, recoverySeconds: 5, groupingSeconds: 3, fullSyncMinutes: 24 * 60 }
