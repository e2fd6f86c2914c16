import { describe, expect, it } from 'vitest'
import { addTrust } from '../../src-main/platform/electron/security/certificate.ts'
import { readCertificates } from '../../src-main/network/ca.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'

describe('a session', () => {
  it('is left as it is without a CA, and checks certificates itself with one', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    const answers: number[] = []
    const refusals: string[] = []
    let procs = 0
    const session = {
      setCertificateVerifyProc: ((proc) => {
        procs += 1
        for (const host of ['service.test', 'other.test'])
          proc?.({ hostname: host, errorCode: -202, certificate: { data: cert } } as never, (answer) =>
            answers.push(answer),
          )
      }) as Parameters<typeof addTrust>[0]['setCertificateVerifyProc'],
    }
    addTrust(session, [], Date.now, () => {})
    expect(procs).toBe(0)
    addTrust(session, readCertificates(authority.ca), Date.now, (host, explain) => refusals.push(`${host}: ${explain}`))
    expect(answers).toEqual([0, -2])
    expect(refusals).toEqual(['other.test: it is for another host name'])
  })
})
