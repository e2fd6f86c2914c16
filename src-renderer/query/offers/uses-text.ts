import type { ServiceUse, UseName } from '../../../src-shared/model/service-uses.ts'

/** A use with its name and what it means for the operator. */
export interface UseText {
  label: string
  state: string
  why: string
}

const labels: Readonly<Record<UseName, string>> = {
  introspection: 'Schema',
  pageSize: 'Page sizes',
  sort: 'Sorted search',
  deviceById: 'Device by id',
  totals: 'Totals of a search',
  searchError: 'Error of a search',
  stream: 'Live stream',
  eventFields: 'Fields of events',
  people: 'People counts',
  credential: 'Role and scope',
  places: 'Accounts, sites and rooms',
  columns: 'Extra columns',
  cost: 'Points',
  reboot: 'Reboot',
  update: 'Rename and move',
  site: 'Create and edit sites',
  room: 'Create and edit rooms',
}

/** With it, and without it. */
const meanings: Readonly<Record<UseName, readonly [used: string, without: string]>> = {
  introspection: [
    'Muster reads once a day what the service offers.',
    'Muster uses what is documented, and learns the rest from answers and rejections.',
  ],
  pageSize: [
    'Pages are as large as points allow.',
    'Pages have the service’s own size, so that a sync takes more of them.',
  ],
  sort: [
    'First and last ids tell whether two connections see the same devices.',
    'Two connections that may see different parts of a tenant each read it.',
  ],
  deviceById: [
    'New, moved and watched devices are read alone.',
    'Their whole tenant is read instead, and a move comes with the next sync.',
  ],
  totals: ['A list that is shorter than its total removes nothing.', 'A list counts as whole when its pages end.'],
  searchError: [
    'Each sync asks whether devices are missing from a list.',
    'Only the answer’s errors tell that devices are missing.',
  ],
  stream: ['Changes arrive as they happen.', 'The status of devices is polled.'],
  eventFields: [
    'Events carry the place of a device where the service sends it.',
    'Events carry id, name, tenant and status; a place is read or comes with the next sync.',
  ],
  people: ['The overview can show which rooms are in use.', 'Nothing tells how many people are in a room.'],
  credential: [
    'Muster shows the role of the credential set, and offers no action that it forbids.',
    'What the role forbids is known only after a rejection.',
  ],
  places: ['Places without devices are in the tree.', 'The tree has only places with devices.'],
  columns: ['Other fields of devices can be columns.', 'There are only the base columns.'],
  cost: ['Each answer tells its cost and the balance.', 'The balance is asked for in each operation, or guessed.'],
  reboot: ['Devices can be rebooted.', 'Devices cannot be rebooted here.'],
  update: ['Devices can be changed.', 'Devices cannot be renamed or moved here.'],
  site: ['Sites can be changed.', 'Sites cannot be changed here.'],
  room: ['Rooms can be changed.', 'Rooms cannot be changed here.'],
}

const reasons: Readonly<Record<ServiceUse['reason'], readonly [has: string, lacks: string]>> = {
  schema: ['The schema has it.', 'The schema does not have it.'],
  'no-schema': ['', 'The service does not tell its schema, so it may have it.'],
  answers: ['Answers show it.', 'Answers show that it is not there.'],
  unread: ['', 'It was not read yet.'],
  own: ['The connection has its own document.', ''],
  fault: ['', 'It failed.'],
}

const states: Readonly<Record<ServiceUse['state'], string>> = {
  used: 'Used',
  fallback: 'Fallback',
  off: 'Not available',
  unknown: 'Not known',
}

/** Returns what Muster does with something that a service may offer, and why. */
export function textOf({ name, state, reason }: ServiceUse): UseText {
  const [used, without] = meanings[name]
  const [has, lacks] = reasons[reason]
  const because = state === 'used' ? has : lacks
  const meaning = state === 'unknown' ? '' : state === 'used' ? used : without
  return { label: labels[name], state: states[state], why: [because, meaning].filter((part) => part !== '').join(' ') }
}
