import type { ProxyState } from '../../src-shared/model/environment.ts'
import type { CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Ports } from '../ports.ts'
import { proxyFault } from '../network/proxies/fault.ts'
import type { Banners } from './banners.ts'
import type { Publisher } from './publish.ts'
import { reportKeychain } from './startup-banners.ts'

interface EnvironmentContext {
  banners: Banners
  publisher: Publisher
  /** Called when a proxy may accept another login now. */
  onAnswer: () => void
}

/** Follows changes outside of Muster: the keychain and the proxies. Returns a function that stops it. */
export function followEnvironment(ports: Ports, demo: boolean, context: EnvironmentContext): () => void {
  const offs = [
    ports.secrets.onChange(() => reportKeychain(ports, demo, context.banners, context.publisher)),
    followProxies(ports, context),
  ]
  return () => {
    for (const off of offs) off()
  }
}

export function environmentState({
  secrets: { kind, detail },
  proxies,
}: Ports): Pick<CallOutput<'app.state'>, 'keychain' | 'proxies'> {
  return { keychain: { kind, detail }, proxies: proxies.states() }
}

export const environmentHandlers = ({
  secrets,
  proxies,
}: Ports): Pick<Handlers, 'keychain.unlock' | `proxies.${'save' | 'forget'}`> => ({
  'keychain.unlock': async () => {
    await secrets.unlock()
    return {}
  },
  'proxies.save': async ({ address, name, password }) => {
    await proxies.save(address, { name, password })
    return {}
  },
  'proxies.forget': async ({ address }) => {
    await proxies.forget(address)
    return {}
  },
})

export const signOutHandlers = ({
  signOut,
}: {
  signOut?: () => void
}): Pick<Handlers, `windows.${'signOut' | 'admit'}`> => ({
  'windows.signOut': async () => {
    if (signOut === undefined) throw new FaultError('input', 'Only windows in a browser sign in.')
    signOut()
    return {}
  },
  // The web shell's gate answers this itself.
  'windows.admit': async () => Promise.reject(new FaultError('input', 'Only windows in a browser sign in.')),
})

const problemTexts = {
  required: 'wants a name and password',
  rejected: 'rejected the name and password',
  locked: 'wants a name and password, which lie in the locked keychain',
}

/** Reports each proxy's problem once, and again when the problem changes. */
function followProxies({ proxies, log }: Ports, { banners, publisher, onAnswer }: EnvironmentContext): () => void {
  let shown = new Map<string, ProxyState['state']>()
  return proxies.onChange(() => {
    const states = proxies.states()
    const present = new Map(
      states
        .filter(({ state }) => state !== 'stored' && state !== 'erased')
        .map(({ address, state }) => [address, state]),
    )
    for (const { address, state, stored } of states) {
      if (state === 'stored' || state === 'erased' || shown.get(address) === state) continue
      const from = state !== 'rejected' ? '' : stored ? ', those of the settings' : ', those that HTTPS_PROXY carries'
      log('warn', `the proxy ${address} ${problemTexts[state]}${from}`)
      banners.show(`proxy ${address}`, 'warning', proxyFault(state, `${address}${from}`).fault)
    }
    for (const address of shown.keys()) if (!present.has(address)) banners.remove(`proxy ${address}`)
    shown = present
    publisher.send('proxies', states)
    if (states.some(({ stored, state }) => stored && state === 'stored')) onAnswer()
  })
}
