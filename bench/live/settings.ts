import type { CallInput } from '../../src-shared/contract/contract.ts'

type Changed = CallInput<'settings.change'>

/** Everything is told at once and by itself: hold-off, gathering, folding and flapping are off. */
export const atOnce: Changed = {
  holdOffSeconds: 0,
  recoverySeconds: 0,
  gatherSeconds: 0,
  foldLeast: 1000,
  flapTransitions: 100,
  refreshMinutes: 24 * 60,
}

/** The figures of an operator who changed nothing, but with seconds in the place of minutes. */
export const soon: Changed = { holdOffSeconds: 5, recoverySeconds: 5, gatherSeconds: 3, refreshMinutes: 24 * 60 }
