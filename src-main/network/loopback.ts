import { isIPv4 } from 'node:net'

/** Returns whether a host (an IPv6 address without brackets) is this computer, so that nothing is sent over a network. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
