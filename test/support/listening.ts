import type { AddressInfo, Server, Socket } from 'node:net'

/** Listens on a free port of loopback, which it answers, until what is handed to `onEnd` is called: then all its sockets end. */
export async function listeningUntil(server: Server, onEnd: (stop: () => Promise<void>) => void): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}
