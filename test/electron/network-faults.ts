import type { Link } from '../../src-main/ports.ts'
import { loginFrom, type ProxyEnv } from '../../src-main/network/proxies/environment.ts'
import { FaultError } from '../../src-shared/model/fault.ts'

export const loginsOf = (env: ProxyEnv, reports: string[] = []) => ({
  answer: async (host: string, port: number) => loginFrom(env, host, port),
  report(host: string, port: number, outcome: 'required' | 'rejected' | 'accepted') {
    reports.push(`${host}:${port} ${outcome}`)
    return outcome === 'accepted' ? ('stored' as const) : outcome
  },
  onReplaced: () => () => {},
})

export async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  )
  if (!(thrown instanceof FaultError)) throw new Error(`not a fault: ${String(thrown)}`)
  return thrown.message.replaceAll(/:\d{4,5}\b/g, '')
}

interface Dialled {
  addEventListener(name: string, listener: (event: { code?: number }) => void): void
  close(code?: number): void
  send(text: string): void
}

export async function fails(link: Link, address: string): Promise<string[]> {
  const notification: string[] = []
  const Dial = link.dial(
    () => ({ authorization: 'Bearer x' }),
    (thrown) =>
      notification.push(thrown instanceof FaultError ? thrown.message.replaceAll(/:\d{4,5}\b/g, '') : 'no fault'),
  )
  const socket = new Dial(address, 'graphql-transport-ws') as unknown as Dialled
  await new Promise<void>((resolve) =>
    socket.addEventListener('close', ({ code }) => (notification.push(`closed ${code}`), resolve())),
  )
  return notification
}
