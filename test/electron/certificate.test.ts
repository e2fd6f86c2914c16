import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readCertificates } from '../../src-main/shell/ca.ts'
import { addTrust, judge, type Presented } from '../../src-main/electron/security/certificate.ts'
import { issueByLeaf, makeAuthority, makeSelfSigned } from '../main/web/certificates.ts'

const [trusted, refused, asFound] = [0, -2, -3]
const unknownAuthority = -202

/** What Electron presents: the chain as the server sent it, from the leaf. */
function presented(hostname: string, chain: string[], errorCode = unknownAuthority): Presented {
  const [data = '', ...rest] = chain
  const issuerCert = rest.length === 0 ? undefined : presented(hostname, rest).certificate
  return { hostname, errorCode, certificate: { data, issuerCert } as Presented['certificate'] }
}

const ask = (ca: string, hostname: string, chain: string[], errorCode?: number) => judge(presented(hostname, chain, errorCode), readCertificates(ca), Date.now())

describe('a connection’s CA', () => {
  it('adds trust for what it has issued, for a name and for an address', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test', '127.0.0.1'])
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({ answer: trusted, why: '' })
    expect(ask(authority.ca, '127.0.0.1', [cert]).answer).toBe(trusted)
    expect(ask(`before\n${(await makeAuthority('other')).ca}${authority.ca}`, 'service.test', [cert, authority.ca]).answer).toBe(trusted)
  })

  it('leads to it over an intermediate, and not without one', async () => {
    const authority = await makeAuthority()
    const between = await authority.intermediate('between')
    const { cert } = await between.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [cert, between.ca]).answer).toBe(trusted)
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({ answer: refused, why: 'its authority is not known here' })
  })

  it('refuses another host', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    for (const other of ['other.test', 'test', 'service.test.evil.example', '127.0.0.1', '::1', '']) {
      expect(ask(authority.ca, other, [cert])).toEqual({ answer: refused, why: 'it is for another host name' })
    }
  })

  it('refuses what has expired, the leaf as well as what is above it', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'], { expired: true })
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({ answer: refused, why: 'it has expired, or is not valid yet' })
    const between = await authority.intermediate('between', { expired: true })
    const below = await between.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [below.cert, between.ca]).answer).toBe(refused)
    expect(ask(between.ca, 'service.test', [below.cert]).answer).toBe(refused)
    const good = await authority.issue(['service.test'])
    const later = new X509Certificate(authority.ca).validToDate.getTime() + 1
    expect(judge(presented('service.test', [good.cert]), readCertificates(authority.ca), later).answer).toBe(refused)
  })

  it('refuses a server’s certificate that was used as an issuer', async () => {
    const authority = await makeAuthority()
    const { leaf, issuer } = await issueByLeaf(authority, ['service.test'])
    expect(ask(authority.ca, 'service.test', [leaf, issuer])).toEqual({ answer: refused, why: 'its authority is not known here' })
    expect(ask(issuer, 'service.test', [leaf, issuer]).answer).toBe(refused)
  })

  it('refuses what another connection’s CA has issued, even under the same name', async () => {
    const [authority, other] = await Promise.all([makeAuthority('Same'), makeAuthority('Same')])
    const { cert } = await other.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [cert]).answer).toBe(refused)
    expect(ask(authority.ca, 'service.test', [cert, other.ca]).answer).toBe(refused)
  })

  it('refuses a certificate that is not meant for a server', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'], { purpose: '1.3.6.1.5.5.7.3.2' })
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({ answer: refused, why: 'it is not meant for a server' })
  })

  it('may be the server’s own certificate; any other one signed by itself is refused', async () => {
    const [own, other] = await Promise.all([makeSelfSigned(), makeSelfSigned()])
    expect(ask(own.cert, '127.0.0.1', [own.cert]).answer).toBe(trusted)
    expect(ask(own.cert, 'localhost', [own.cert]).answer).toBe(refused)
    expect(judge(presented('127.0.0.1', [own.cert]), readCertificates(own.cert), Date.now() + 48 * 3_600_000).answer).toBe(refused)
    expect(ask(own.cert, '127.0.0.1', [other.cert]).answer).toBe(refused)
  })

  it('refuses what it cannot read', async () => {
    const authority = await makeAuthority()
    expect(ask(authority.ca, 'service.test', ['hello'])).toEqual({ answer: refused, why: 'it cannot be read' })
  })

  it('overrules nothing that Chromium has found, good or bad', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    // No error, a wrong name, a wrong date, revoked, too weak.
    for (const code of [0, -200, -201, -206, -208]) expect(ask(authority.ca, 'service.test', [cert], code).answer).toBe(asFound)
    expect(ask('', 'service.test', [cert]).answer).toBe(asFound)
  })
})

describe('a session', () => {
  it('is left as it is without a CA, and asks here with one', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    const answers: number[] = []
    const refusals: string[] = []
    let procs = 0
    const session = {
      setCertificateVerifyProc: ((proc) => {
        procs += 1
        for (const host of ['service.test', 'other.test']) proc?.(presented(host, [cert]) as never, (answer) => answers.push(answer))
      }) as Parameters<typeof addTrust>[0]['setCertificateVerifyProc'],
    }
    addTrust(session, [], Date.now, () => {})
    expect(procs).toBe(0)
    addTrust(session, readCertificates(authority.ca), Date.now, (host, why) => refusals.push(`${host}: ${why}`))
    expect(answers).toEqual([trusted, refused])
    expect(refusals).toEqual(['other.test: it is for another host name'])
  })
})
