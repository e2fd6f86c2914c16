import type { Incidents } from '../incidents.ts'

/**
 * Opens the dialog of an action for its incidents, or says that there are none. `opened`: the action is about the open
 * incident.
 */
export function askFor(
  { about, asked, actions }: Incidents,
  what: 'acknowledge' | 'snooze' | 'assign',
  opened: boolean,
): void {
  const subjects = about(opened)
  if (subjects.length > 0) return asked.set({ what, subjects })
  actions.showMessage('Choose an incident that is not closed.')
}
