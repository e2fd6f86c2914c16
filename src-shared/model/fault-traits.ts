import type { FaultKind } from './fault.ts'

/** The properties of all faults of a kind. A kind without traits does not compile. */
export interface FaultTraits {
  /** Its origin: the network, an answer of the service, or this computer. */
  of: 'network' | 'answer' | 'muster'
  /** True when the service itself answered. Otherwise it was not reached. */
  answered: boolean
  /** True when the request surely cost no points, because it was not sent or the service charged nothing. */
  uncharged: boolean
  /**
   * The use of a retry at once: `soon`: the fault is temporary; `once`: an unusable answer may have been an exception;
   * `no`: none.
   */
  again: 'soon' | 'once' | 'no'
  /**
   * The scope of a fault that lasts until the service or its data change, so that a retry would only waste points: the
   * requested part, or the whole sync. Null for a temporary fault.
   */
  lasts: 'asked' | 'reading' | null
  /**
   * The service rejects such a document: it says so (`surely`), or some services mean that by this answer (`perhaps`).
   */
  rejects: 'surely' | 'perhaps' | null
  /** True when a service may answer so to a paging token that it no longer accepts. */
  ofPagingToken: boolean
  /** True when it affects all tenants of a connection, not only the one that met it. */
  ofAll: boolean
  /** True when only a change of the connection fixes it. */
  byEdit: boolean
  /**
   * How it is shown: `mild`: temporary, and it hides no other fault; `brief`: only for a short time. Null: until it is
   * over, as an error.
   */
  shown: 'mild' | 'brief' | null
}

const answer: FaultTraits = {
  of: 'answer',
  answered: true,
  uncharged: false,
  again: 'no',
  lasts: null,
  rejects: null,
  ofPagingToken: false,
  ofAll: false,
  byEdit: false,
  shown: null,
}
/** Nothing was sent. */
const unsent: FaultTraits = { ...answer, of: 'network', answered: false, uncharged: true }
const passing: FaultTraits = { ...unsent, again: 'soon' }
/** The request may have arrived. */
const onTheWay: FaultTraits = { ...passing, uncharged: false }
const muster: FaultTraits = { ...answer, of: 'muster' }
const everywhere: FaultTraits = { ...muster, ofAll: true }

const traits: Record<FaultKind, FaultTraits> = {
  name: { ...passing, byEdit: true },
  connect: passing,
  tls: { ...unsent, byEdit: true },
  protocol: { ...unsent, byEdit: true },
  proxy: passing,
  'proxy-login': passing,
  'proxy-refused': passing,
  'proxy-locked': passing,
  'proxy-away': passing,
  reset: onTheWay,
  timeout: onTheWay,
  // Muster aborted the request, which proves nothing against the network or the service.
  abort: { ...onTheWay, again: 'no', answered: true, ofAll: true, shown: 'brief' },
  credentials: { ...answer, ofAll: true, byEdit: true },
  token: { ...answer, uncharged: true, ofAll: true },
  forbidden: { ...answer, uncharged: true, lasts: 'asked', rejects: 'surely', byEdit: true },
  'not-found': { ...answer, uncharged: true, lasts: 'reading', byEdit: true },
  // A gateway may have sent it instead of the service.
  http: { ...answer, answered: false, again: 'once', rejects: 'perhaps', ofPagingToken: true },
  'not-json': { ...answer, again: 'once', byEdit: true },
  'not-graphql': { ...answer, again: 'once', lasts: 'asked', rejects: 'perhaps', ofPagingToken: true, byEdit: true },
  'no-data': { ...answer, again: 'once', lasts: 'asked', ofPagingToken: true },
  query: { ...answer, uncharged: true, lasts: 'asked', rejects: 'surely', ofPagingToken: true },
  partial: { ...answer, lasts: 'asked', ofPagingToken: true, shown: 'mild' },
  'cost-limit': { ...answer, lasts: 'asked', rejects: 'surely', shown: 'mild' },
  // The wait for points, or the one that the service asked for, took place in the pacer.
  exhausted: { ...answer, shown: 'brief' },
  unavailable: { ...answer, answered: false, uncharged: true },
  paging: { ...answer, lasts: 'reading', ofPagingToken: true },
  emptied: answer,
  withdrawn: answer,
  'same-set': { ...muster, byEdit: true, shown: 'mild' },
  'no-tenants': answer,
  clock: answer,
  socket: answer,
  'no-stream': answer,
  'not-live': answer,
  flood: answer,
  foreign: answer,
  storage: everywhere,
  'cache-renewed': muster,
  'journal-damaged': muster,
  'jobs-unread': muster,
  'settings-damaged': muster,
  'settings-unread': muster,
  'settings-usual': muster,
  'schema-drift': muster,
  keychain: muster,
  'keychain-locked': everywhere,
  'secret-left': muster,
  'no-secret': { ...everywhere, byEdit: true },
  ca: { ...muster, byEdit: true },
  input: { ...muster, byEdit: true },
  channel: muster,
  'team-away': muster,
  'team-lead': muster,
  'team-old': muster,
  erased: muster,
  'team-rewound': muster,
  file: muster,
  locked: muster,
  'actions-off': muster,
  'no-sender': muster,
  link: muster,
  'link-unknown': muster,
  'demo-ended': muster,
  update: muster,
  stopped: { ...everywhere, shown: 'brief' },
  internal: everywhere,
}

export const traitsOf = (kind: FaultKind): FaultTraits => traits[kind]
