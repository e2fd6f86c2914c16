import { windowPolicy } from '../../shell/window-files.ts'

/** Headers of every answer to the window. Its pipe is no network, so it may connect to nothing at all. */
export function securityHeaders(nonce: string | null): Record<string, string> {
  return {
    'Content-Security-Policy': windowPolicy(null, nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}
