import { fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { fileURLToPath } from 'node:url'

/** A relay in a process of its own that adds a delay to every byte, as a distant service has; its bandwidth is not limited. */
export interface SlowRelay {
  /** The port on 127.0.0.1 that leads to the relayed one. */
  port: number
  stop(): Promise<void>
}

/** Starts a relay to a port on 127.0.0.1. `oneWayMs`: delay in each direction, ms. */
export async function forkSlowRelay(to: number, oneWayMs: number): Promise<SlowRelay> {
  const child = fork(fileURLToPath(import.meta.url), ['--relay', String(to), String(oneWayMs)], { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

function serve(to: number, oneWayMs: number): void {
  const server = net.createServer({ noDelay: true }, (socket) => {
    const upstream = net.connect({ port: to, host: '127.0.0.1', noDelay: true })
    delayed(socket, upstream, oneWayMs)
    delayed(upstream, socket, oneWayMs)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as net.AddressInfo).port))
  process.on('disconnect', () => process.exit(0))
}

/** Passes on what one side sends, and its end, that much later. */
function delayed(from: net.Socket, to: net.Socket, ms: number): void {
  from.on('data', (part) => setTimeout(() => to.writable && to.write(part), ms))
  from.on('close', () => setTimeout(() => to.destroy(), ms))
  from.on('error', () => to.destroy())
}

if (process.argv[2] === '--relay') serve(Number(process.argv[3]), Number(process.argv[4]))
