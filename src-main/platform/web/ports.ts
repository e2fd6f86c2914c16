import { systemClock } from '../../../src-shared/lib/clock.ts'
import { openProxyLogins } from '../../network/proxies/logins.ts'
import type { Ports } from '../../ports.ts'
import { smtpMail } from '../shared/mail.ts'
import { threadsIn } from '../shared/threads.ts'
import { openNetwork } from './network/network.ts'

/** Returns the ports of a core in plain Node. `threads`: the folder of the built threads. */
export function openPorts({
  profile,
  threads,
  ...given
}: Pick<Ports, 'secrets' | 'settings' | 'log'> & { profile: string; threads: string }): Ports {
  const proxies = openProxyLogins({ clock: systemClock, ...given, env: process.env })
  return {
    ...given,
    network: openNetwork(process.env, { logins: proxies }),
    proxies,
    mail: smtpMail,
    clock: systemClock,
    paths: { profile, ...threadsIn(threads) },
  }
}
