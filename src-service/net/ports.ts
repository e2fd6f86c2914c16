import { makeListener } from './listener.ts'
import type { Listener, ListenerOptions } from './listener.ts'

/**
 * The addresses of the service: one port, or one for HTTP/2 only and another for WebSocket upgrades, which need
 * HTTP/1.1.
 */
export type Ports = Omit<Listener, 'open'> & {
  /** Opens the ports, once, and resolves with their numbers. */
  open(): Promise<{ port: number; socketPort: number }>
}

export function makePorts(options: Omit<ListenerOptions, 'http1'>, http: 'both' | 'h2'): Ports {
  const main = makeListener({ ...options, http1: http === 'both' })
  if (http === 'both') {
    return {
      ...main,
      async open() {
        const port = await main.open()
        return { port, socketPort: port }
      },
    }
  }
  const sockets = makeListener({ ...options, port: 0, http1: true })
  const both = async (verb: 'pause' | 'resume' | 'stop'): Promise<void> =>
    void (await Promise.all([main[verb](), sockets[verb]()]))
  return {
    open: async () => ({ port: await main.open(), socketPort: await sockets.open() }),
    pause: () => both('pause'),
    resume: () => both('resume'),
    stop: () => both('stop'),
  }
}
