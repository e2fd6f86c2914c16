import type { CallOutput, Handlers } from '../../src-shared/contract.ts'
import type { Ports } from '../ports.ts'
import type { Notices } from './notices.ts'
import type { Publisher } from './publish.ts'
import { saySecrets } from './said.ts'

interface Told {
  notices: Notices
  publisher: Publisher
  /** A proxy may take another answer now. */
  onAnswer: () => void
}

/** What changes outside of Muster while it runs: the keychain, and the proxies on the way. Returns the way to stop. */
export function followOutside(ports: Ports, demo: boolean, told: Told): () => void {
  const offs = [
    ports.secrets.onChange(() => saySecrets(ports, demo, told.notices, told.publisher)),
    followProxies(ports, told),
  ]
  return () => {
    for (const off of offs) off()
  }
}

export function outsideState({ secrets: { kind, detail }, proxies }: Ports): Pick<CallOutput<'app.state'>, 'keychain' | 'proxies'> {
  return { keychain: { kind, detail }, proxies: proxies.states() }
}

export const outsideHandlers = ({ secrets, proxies }: Ports): Pick<Handlers, 'keychain.unlock' | `proxies.${'save' | 'forget'}`> => ({
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

/** Each that wants a login is said once. */
function followProxies({ proxies, log }: Ports, { notices, publisher, onAnswer }: Told): () => void {
  let said = new Set<string>()
  return proxies.onChange(() => {
    const states = proxies.states()
    const asking = new Set(states.filter(({ state }) => state !== 'kept').map(({ address }) => address))
    for (const { address, state } of states) {
      if (state === 'kept' || said.has(address)) continue
      log('warn', `the proxy ${address} ${state === 'wanted' ? 'wants a name and password' : 'refused the name and password'}`)
      notices.say(`proxy ${address}`, 'warning', { kind: 'proxy-login', detail: address })
    }
    for (const address of said) if (!asking.has(address)) notices.take(`proxy ${address}`)
    said = asking
    publisher.tell('proxies', states)
    if (states.some(({ kept, state }) => kept && state === 'kept')) onAnswer()
  })
}
