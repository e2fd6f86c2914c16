/**
 * A fault is a classified error. Errors cross every border as values of this shape, from a closed list of kinds; each
 * kind has a title and a next step (see `explain`). `detail` is safe to show and to log: it never contains a secret, a
 * token or a request.
 */
export const faultKinds = [
  // Network faults, as the ports report them (design, section 3).
  'name',
  'connect',
  'tls',
  'protocol',
  'proxy',
  'reset',
  'timeout',
  'abort',
  // Faults in the service's answers.
  'credentials',
  'token',
  'forbidden',
  'not-found',
  'http',
  'not-json',
  'not-graphql',
  'no-data',
  'query',
  'partial',
  'cost-limit',
  'exhausted',
  'unavailable',
  'paging',
  'emptied',
  'withdrawn',
  'same-set',
  'no-tenants',
  'clock',
  'socket',
  'no-stream',
  'not-live',
  'flood',
  'foreign',
  // Faults of Muster itself.
  'storage',
  'cache-renewed',
  'journal-damaged',
  'jobs-unread',
  'settings-damaged',
  'settings-unread',
  'settings-usual',
  'schema-drift',
  'keychain',
  'keychain-locked',
  'proxy-login',
  'proxy-refused',
  'proxy-locked',
  'proxy-away',
  'secret-left',
  'no-secret',
  'ca',
  'locked',
  'actions-off',
  'no-sender',
  'input',
  'erased',
  'channel',
  'team-away',
  'team-lead',
  'team-old',
  'team-rewound',
  'file',
  'link',
  'link-unknown',
  'demo-ended',
  'update',
  'stopped',
  'internal',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** The kinds of faults that a proxy may cause. */
export const proxyKinds: readonly FaultKind[] = ['proxy', 'proxy-login', 'proxy-refused', 'proxy-locked', 'proxy-away']

export interface Fault {
  kind: FaultKind
  /** One short clause with the particulars: a host name, a status, the service's own message. May be empty. */
  detail: string
}

/** The fault, and what the operator can do about it. Both are whole sentences. */
export interface FaultMessage {
  title: string
  advice: string
}

const faultMessages: Record<FaultKind, FaultMessage> = {
  name: {
    title: 'The host name could not be found.',
    advice: 'Check the address for a typing error, then your DNS or VPN.',
  },
  connect: {
    title: 'Nothing answers at that address.',
    advice: 'Check the address and port, and that a firewall or VPN lets you through.',
  },
  tls: {
    title: 'The service’s certificate is not trusted.',
    advice:
      'If the service has a certificate of your company, or a proxy of your company looks into encrypted connections (TLS inspection), paste your company’s CA certificate into the connection. Muster never skips this check.',
  },
  protocol: {
    title: 'Muster and the service have no protocol in common.',
    advice:
      'Check that the address and port are those of the service. Live connections need HTTP/1.1: where the service speaks only HTTP/2, Muster polls the devices instead.',
  },
  proxy: {
    title: 'The proxy rejected the connection.',
    advice: 'It may block that host. Ask its administrator, or check the system’s proxy, or HTTPS_PROXY and NO_PROXY.',
  },
  'proxy-away': {
    title: 'The proxy cannot be reached.',
    advice:
      'Check the system’s proxy, or HTTPS_PROXY and NO_PROXY, then your network or VPN. Muster tries again by itself.',
  },
  reset: {
    title: 'The connection was cut before the answer was complete.',
    advice: 'Muster tries again by itself. If it keeps happening, look at the network between here and the service.',
  },
  timeout: {
    title: 'The service did not answer in time.',
    advice: 'Muster tries again by itself. The service or the network may be overloaded.',
  },
  abort: { title: 'The request was cancelled.', advice: 'Nothing needs to be done.' },
  credentials: {
    title: 'The service rejected this client id and secret.',
    advice: 'Enter the client secret again, or ask your administrator whether the credential set is still active.',
  },
  token: {
    title: 'The service no longer accepts the access token.',
    advice: 'Muster asks for a new one by itself. If this stays, the credential set may have been deleted.',
  },
  forbidden: { title: 'These credentials may not see this.', advice: 'Ask for a role or scope that covers it.' },
  'not-found': {
    title: 'The address exists, but the service is not there.',
    advice: 'Check the path of the address; it usually ends in /graphql or /oauth/token.',
  },
  http: {
    title: 'The service answered with an error.',
    advice: 'Muster tries again. If it stays, contact the service’s operator.',
  },
  'not-json': {
    title: 'Something other than data came back.',
    advice: 'The address may be that of a portal or a login page of your network. Check it, or sign in to the network.',
  },
  'not-graphql': {
    title: 'The answer is JSON, but not a GraphQL answer.',
    advice: 'Check that the address is the service’s GraphQL endpoint.',
  },
  'no-data': {
    title: 'The service answered without the data that was asked for.',
    advice: 'Known data stays. Muster asks again. If it stays, contact the service’s operator.',
  },
  query: {
    title: 'The service answered the query with an error.',
    advice: 'Muster tries again by itself. If it stays, contact the service’s operator with the text below.',
  },
  partial: { title: 'A part of the answer failed.', advice: 'The good part is shown. Muster asks for the rest again.' },
  'cost-limit': {
    title: 'The query costs more than the service allows.',
    advice: 'Muster asks for less at a time by itself.',
  },
  exhausted: { title: 'The points of this minute are used up.', advice: 'Muster goes on when the balance resets.' },
  unavailable: {
    title: 'The service is unavailable, and asks to wait.',
    advice: 'Muster goes on by itself when that time is over. A refresh tries at once.',
  },
  paging: {
    title: 'The service’s paging does not end.',
    advice: 'Known devices stay. If it happens again, contact the service’s operator.',
  },
  emptied: {
    title: 'The service lists nothing where there was something.',
    advice:
      'Known devices stay, unknown, while Muster asks again. After an hour without devices they count as removed. If this is intended, a refresh after a minute confirms it; if not, check the role and scope of the credential set with your administrator.',
  },
  'no-tenants': {
    title: 'The service lists no tenant for these credentials.',
    advice: 'Check the role and scope of the credential set with your administrator. Muster asks again by itself.',
  },
  withdrawn: {
    title: 'Tenants are no longer listed for these credentials.',
    advice:
      'Their devices have left the inventory, where no other connection lists them. If this is intended, a refresh after a minute takes this away; if not, check the role and scope of the credential set with your administrator.',
  },
  'same-set': {
    title: 'Another connection uses the same credential set.',
    advice:
      'Points are counted once for both, and each tenant is read once. But both listen to the same devices, so that each device counts twice against the limits of the service’s subscriptions. Remove or pause one of them.',
  },
  clock: {
    title: 'This computer’s clock and the service’s clock differ.',
    advice:
      'Set the clock of whichever is wrong. Until then, times from the service and times from Muster cannot be compared.',
  },
  socket: { title: 'The live connection was closed.', advice: 'Muster connects again by itself.' },
  'no-stream': {
    title: 'The service offers no live stream by this name.',
    advice: 'Changes appear at the next sync. The subscription document can be set in the connection.',
  },
  'not-live': {
    title: 'The service takes no live subscription for a part of the devices.',
    advice: 'Muster polls their status as often as the points allow. The other devices are live.',
  },
  flood: {
    title: 'The service sends more changes than Muster can store.',
    advice: 'Muster dropped some and reads their devices; until then their status is unknown.',
  },
  foreign: {
    title: 'The service sends changes of devices that this connection does not have.',
    advice: 'They were left out. Contact the service’s operator.',
  },
  storage: {
    title: 'Muster cannot write to its disk.',
    advice:
      'Make room on the disk or mend the folder’s rights. The screen stays as it is. Muster writes waiting changes when the disk works again.',
  },
  'cache-renewed': {
    title: 'The stored inventory could not be used and has been begun anew.',
    advice: 'Nothing needs to be done: it is read from the service again.',
  },
  'journal-damaged': {
    title: 'The history could not be read.',
    advice: 'A new history has begun. The old file stays in the profile folder.',
  },
  'jobs-unread': {
    title: 'Some unfinished actions could not be read.',
    advice:
      'They do not continue, and no list shows them. Some of their devices may have been sent already: check those you acted on last.',
  },
  'settings-damaged': {
    title: 'The settings were damaged and have been replaced by the defaults.',
    advice: 'A copy is in the profile folder. Enter your connections again; secrets in the keychain were not touched.',
  },
  'settings-unread': {
    title: 'Some stored connections could not be read.',
    advice: 'They are not shown. Make them anew, or mend the settings file while Muster is stopped.',
  },
  'settings-usual': {
    title: 'Some settings could not be read.',
    advice:
      'Muster uses the defaults. Choose them anew in the settings, or mend the settings file while Muster is stopped.',
  },
  'schema-drift': {
    title: 'The service’s schema has changed.',
    advice: 'Nothing needs to be done. New fields are available as columns; removed fields are no longer loaded.',
  },
  keychain: {
    title: 'This computer’s keychain is not available.',
    advice:
      'Client secrets are stored in memory until Muster quits, never on disk. They will be asked for again at the next start.',
  },
  'keychain-locked': {
    title: 'This computer’s keychain is locked.',
    advice:
      'Unlock it, and Muster goes on by itself. Until then, new secrets stay in memory; if Muster quits before, it asks for them again.',
  },
  'proxy-login': {
    title: 'A proxy asks for a name and password.',
    advice: 'Enter them in the settings, under Network. Waiting connections then go on.',
  },
  'proxy-refused': {
    title: 'A proxy rejected the name and password.',
    advice:
      'Enter others in the settings, under Network. Waiting connections then go on. Those of HTTPS_PROXY apply where none are entered.',
  },
  'proxy-locked': {
    title: 'A proxy’s name and password wait for the keychain.',
    advice: 'They lie in this computer’s keychain, which is locked. Unlock it, and Muster goes on by itself.',
  },
  'secret-left': {
    title: 'The secret of a removed connection may still be in the keychain.',
    advice: 'The keychain could not be reached. Muster wipes it there at the next start that reaches the keychain.',
  },
  'no-secret': { title: 'The client secret is not known here.', advice: 'Enter it in the connection.' },
  ca: {
    title: 'The CA certificate cannot be read.',
    advice: 'Paste the whole PEM text, with its BEGIN and END lines.',
  },
  locked: { title: 'This tenant is locked.', advice: 'Unlock it for actions, then try again. Nothing was sent.' },
  'actions-off': {
    title: 'Actions are off.',
    advice: 'They are switched on in the settings, unless your organisation has switched them off.',
  },
  'no-sender': {
    title: 'No running connection can act here now.',
    advice: 'Resume or mend the connection of this tenant, then continue the job. What was not sent is not lost.',
  },
  input: { title: 'That cannot be used as it is.', advice: 'Correct it and try again.' },
  link: { title: 'Muster cannot open this link.', advice: 'Copy it in Muster once more, whole. Nothing was changed.' },
  'link-unknown': {
    title: 'This link leads to something that this Muster does not know.',
    advice: 'The connection that sees it may be missing here, or not be read yet; or it is gone. Nothing was changed.',
  },
  erased: { title: 'The data of a connection was erased meanwhile.', advice: 'Try again. Nothing was changed.' },
  channel: {
    title: 'A channel does not deliver.',
    advice: 'Settings, Channels lists what waits and what failed, with the reason.',
  },
  'team-away': {
    title: 'The team’s database cannot be reached.',
    advice: 'Muster shows its own copy, grey where it cannot know, and tries again by itself.',
  },
  'team-lead': {
    title: 'Another member of the team reads this connection.',
    advice: 'Ask there, or wait until this Muster leads.',
  },
  'team-old': {
    title: 'The team uses another version of Muster.',
    advice: 'This Muster only reads. Settings, Team says which version is needed. Nothing was changed.',
  },
  'team-rewound': {
    title: 'The team’s database has lost its newest changes.',
    advice:
      'It failed over, or was restored. Devices are compared again, and what was written here in the last five minutes is written again. Look again at what you acknowledged, snoozed or assigned.',
  },
  file: { title: 'The file could not be written.', advice: 'Choose another folder, or make room on the disk.' },
  'demo-ended': {
    title: 'The demo’s service has ended.',
    advice:
      'Quit Muster (Ctrl-C in its terminal) and start it again: a new one comes with it. The screen shows the last known data.',
  },
  update: {
    title: 'The update cannot be used.',
    advice: 'Muster goes on as it is, and asks the feed again later. If it stays, contact their publisher.',
  },
  stopped: {
    title: 'Muster’s core is not running.',
    advice: 'Start Muster again; this window then connects by itself.',
  },
  internal: {
    title: 'Something went wrong in Muster.',
    advice: 'The screen stays as it is. Please report it, with the details.',
  },
}

/** Returns the title and advice for a fault. A kind without them does not compile. */
export function explain(fault: Fault): FaultMessage {
  return faultMessages[fault.kind]
}

/** Returns the title and advice for a fault as one text. */
export function faultSentence(fault: Fault): string {
  const { title, advice } = explain(fault)
  return `${title} ${advice}`.trim()
}

/** An error inside the core. Only its `fault` leaves the core. */
export class FaultError extends Error {
  readonly fault: Fault
  /** Time in ms before a retry can succeed, when the service said so. */
  readonly retryAfter: number | null
  /** The HTTP status of the answer; null without one. */
  readonly status: number | null
  /**
   * The full text of the service's answer, for matching only. It must never be shown, because it may contain anything.
   */
  readonly answerText: string

  constructor(
    kind: FaultKind,
    detail = '',
    more: { retryAfter?: number; status?: number; answerText?: string; cause?: unknown } = {},
  ) {
    super(detail === '' ? kind : `${kind}: ${detail}`, { cause: more.cause })
    this.name = 'FaultError'
    this.fault = { kind, detail }
    this.retryAfter = more.retryAfter ?? null
    this.status = more.status ?? null
    this.answerText = more.answerText ?? detail
  }
}

/** Returns anything thrown as a fault. A foreign error becomes `internal`, with its class as the only detail. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault
  return { kind: 'internal', detail: thrown instanceof Error ? thrown.name : typeof thrown }
}

/** Returns whether only a new secret, or an unlocked keychain that may have it, can help. */
export const lacksSecret = ({ kind }: Fault): boolean => kind === 'no-secret' || kind === 'keychain-locked'

/** Ends a switch over a union, so that a new member fails the type check here. */
export function assertNever(value: never): never {
  throw new Error(`impossible case: ${String(value)}`)
}
