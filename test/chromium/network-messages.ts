import { netFault } from '../../src-main/network/chromium/net-fault.ts'

export const told = (text: string) => netFault(new Error(text), 'h').message

/** The words of the socket's own layer for a code, where it has some (net/websockets/websocket_stream.cc). */
export function socketWords(code: string): string {
  return code === 'net::ERR_TUNNEL_CONNECTION_FAILED'
    ? 'Establishing a tunnel via proxy server failed.'
    : `Error in connection establishment: ${code}`
}
