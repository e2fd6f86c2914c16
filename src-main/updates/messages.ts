import { explain, FaultError, type Fault } from '../../src-shared/model/fault.ts'

/** Sentences for network faults of a feed; other kinds explain themselves. */
const sentences: Partial<Record<Fault['kind'], string>> = {
  name: 'The feed’s host name could not be found',
  connect: 'Nothing answers at the feed’s address',
  tls: 'The feed’s certificate is not trusted',
  proxy: 'The proxy rejected the connection',
  'proxy-away': 'The proxy cannot be reached',
  reset: 'The connection to the feed was cut',
  timeout: 'The feed did not answer in time',
  http: 'The feed answered with an error',
  'not-found': 'The feed has no entry for this channel and system, or the file is not there',
  ca: 'The feed’s CA certificate cannot be read',
  storage: 'The update cannot be written to the disk',
  update: 'The update cannot be used',
}

/** Returns a sentence for an error of an update. It contains no address but the host. */
export function failureMessage(thrown: unknown): string {
  const { kind, detail } = faultOf(thrown)
  const sentence = sentences[kind] ?? explain({ kind, detail }).title.replace(/\.$/, '')
  return detail === '' ? `${sentence}.` : `${sentence}: ${detail}.`
}

/** Returns why a start did not install this version, in one or two sentences. */
export function notInstalledMessage(version: string, thrown: unknown): string {
  const { kind, detail } = faultOf(thrown)
  return kind === 'update' && detail !== ''
    ? `${version} was not installed: ${detail}.`
    : `${version} was not installed. ${failureMessage(thrown)}`
}

function faultOf(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  // Messages of the file system and of electron-updater contain paths and whole answers; their codes do not.
  if (/^E[A-Z]{2,20}$/.test(code)) return { kind: 'storage', detail: code }
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return { kind: 'update', detail: 'it is not signed by the maker of this copy of Muster' }
  return { kind: 'update', detail: /^ERR_[A-Z_]{2,60}$/.test(code) ? code : '' }
}
