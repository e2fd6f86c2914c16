import type { CallInput } from '../../src-shared/contract.ts'
import { settings } from '../../src-shared/model.ts'

type Changed = CallInput<'settings.change'>

/** Everything is told at once and by itself: what there is of hold-off, gathering, folding and flapping is off. */
export function atOnce(): Changed {
  return known({ holdOffSeconds: 0, recoverySeconds: 0, gatherSeconds: 0, foldLeast: 1000, flapTransitions: 100, refreshMinutes: 24 * 60 })
}

/** The figures of an operator who changed nothing, but with seconds in the place of minutes. */
export function soon(): Changed {
  return known({ holdOffSeconds: 5, recoverySeconds: 5, gatherSeconds: 3, refreshMinutes: 24 * 60 })
}

/** Settings that this version has. */
function known(wanted: Record<string, number>): Changed {
  return settings.partial().parse(Object.fromEntries(Object.entries(wanted).filter(([name]) => name in settings.shape)))
}
