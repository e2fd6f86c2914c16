import { faultKinds, type FaultKind } from './fault.ts'

/** What is true of every fault of a kind, whoever asks. A kind without traits does not compile. */
export interface FaultTraits {
  /** Where it comes from: the way to the service, an answer, or this computer. */
  of: 'network' | 'answer' | 'muster'
  /** Whether the service itself had a say: without one, nothing of it was reached. */
  answered: boolean
  /** It left nothing to charge: nothing has left this computer, or the service took nothing for it. Of any other nobody knows. */
  uncharged: boolean
  /** What asking for the same again at once is good for: it passes (`soon`), an answer of no use may have been an exception (`once`), or nothing (`no`). */
  again: 'soon' | 'once' | 'no'
  /** It stays until the service or its data change, and trying again soon would only burn points: of what was asked for, or of the whole reading. Null: it passes. */
  lasts: 'asked' | 'reading' | null
  /** The service does not take such a document: it says so (`surely`), or it answers as some do that mean this (`perhaps`). */
  rejects: 'surely' | 'perhaps' | null
  /** It may be what a service says of a token of the paging that it no longer takes. */
  ofPagingToken: boolean
  /** It is true of all tenants of a connection, and not of the one that met it. */
  ofAll: boolean
  /** Only a change of the connection mends it. */
  byEdit: boolean
  /** How long it shows: it passes by itself and hides nothing (`mild`), and soon (`brief`). Null: until it is over, as what is wrong. */
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
/** Nothing has left this computer. */
const unsent: FaultTraits = { ...answer, of: 'network', answered: false, uncharged: true }
const passing: FaultTraits = { ...unsent, again: 'soon' }
/** It may have got there. */
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
  // It was called off here: nothing of the way, or of the service, was found wanting.
  abort: { ...onTheWay, again: 'no', answered: true, ofAll: true, shown: 'brief' },
  credentials: { ...answer, ofAll: true, byEdit: true },
  token: { ...answer, uncharged: true, ofAll: true },
  forbidden: { ...answer, uncharged: true, lasts: 'asked', rejects: 'surely', byEdit: true },
  'not-found': { ...answer, uncharged: true, lasts: 'reading', byEdit: true },
  // It may come from a gateway: the service had no say.
  http: { ...answer, answered: false, again: 'once', rejects: 'perhaps', ofPagingToken: true },
  'not-json': { ...answer, again: 'once', byEdit: true },
  'not-graphql': { ...answer, again: 'once', lasts: 'asked', rejects: 'perhaps', ofPagingToken: true, byEdit: true },
  'no-data': { ...answer, again: 'once', lasts: 'asked', ofPagingToken: true },
  query: { ...answer, uncharged: true, lasts: 'asked', rejects: 'surely', ofPagingToken: true },
  partial: { ...answer, lasts: 'asked', ofPagingToken: true, shown: 'mild' },
  'cost-limit': { ...answer, lasts: 'asked', rejects: 'surely', shown: 'mild' },
  // Whoever lacked points, or was asked to wait, has waited in the pacer.
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
  'journal-aside': muster,
  'settings-aside': muster,
  'settings-unread': muster,
  'settings-usual': muster,
  'schema-drift': muster,
  keychain: muster,
  'keychain-locked': everywhere,
  'secret-left': muster,
  'no-secret': { ...everywhere, byEdit: true },
  ca: { ...muster, byEdit: true },
  input: { ...muster, byEdit: true },
  file: muster,
  link: muster,
  'link-unknown': muster,
  'demo-ended': muster,
  update: muster,
  stopped: { ...everywhere, shown: 'brief' },
  internal: everywhere,
}

export const traitsOf = (kind: FaultKind): FaultTraits => traits[kind]

/** The kinds for which it holds. */
export const kindsThat = (holds: (traits: FaultTraits) => boolean): FaultKind[] =>
  faultKinds.filter((kind) => holds(traits[kind]))
