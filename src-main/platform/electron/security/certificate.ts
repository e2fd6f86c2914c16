import type { X509Certificate } from 'node:crypto'
import type { Session } from 'electron'
import { verifyChain, rejected } from '../../../network/certificates/verify.ts'

/** Adds the trust of a connection's CA to its session. Without a CA the session keeps Chromium's verification. */
export function addTrust(
  session: Pick<Session, 'setCertificateVerifyProc'>,
  added: readonly X509Certificate[],
  now: () => number,
  onRefused: (hostname: string, why: string) => void,
): void {
  if (added.length === 0) return
  session.setCertificateVerifyProc((request, callback) => {
    const { answer, why } = verifyChain(request, added, now())
    if (answer === rejected) onRefused(request.hostname, why)
    callback(answer)
  })
}
