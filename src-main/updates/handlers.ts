import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Updates } from './updates.ts'

export function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `updates.${string}`>> {
  const done = (does: () => void) => async () => {
    does()
    return {}
  }
  return {
    'updates.check': done(updates.check),
    'updates.download': done(updates.download),
    'updates.apply': done(updates.apply),
  }
}
