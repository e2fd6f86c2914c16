import type { Incidents } from '../incidents.ts'

/** Calls up the dialog of an act for what it is about; says so when it is about nothing. `opened`: the incident whose pane is open. */
export function askFor({ about, asked, actions }: Incidents, what: 'acknowledge' | 'snooze', opened: boolean): void {
  const subjects = about(opened)
  if (subjects.length > 0) return asked.set({ what, subjects })
  actions.say('Choose an incident that is not closed.')
}
