import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { readCertificates } from '../../../src-main/network/ca.ts'
import { readFields } from '../../../src-main/network/certificates/der.ts'
import { verifyChain, type Presented } from '../../../src-main/network/certificates/verify.ts'
import { openNetwork } from '../../../src-main/platform/web/network/network.ts'
import {
  extensionOf,
  issueByLeaf,
  makeAuthority,
  makeSelfSigned,
  purposeOf,
  type Authority,
  type AuthorityOptions,
  type IssueOptions,
} from '../platform/web/certificates.ts'
import { listening } from '../platform/web/servers.ts'

const [trusted, rejected, chromiumResult] = [0, -2, -3]
const unknownAuthority = -202

/** The input of Electron: the chain as the server sent it, from the leaf. */
function presented(hostname: string, chain: string[], errorCode = unknownAuthority): Presented {
  const [data = '', ...rest] = chain
  const issuerCert = rest.length === 0 ? undefined : presented(hostname, rest).certificate
  return { hostname, errorCode, certificate: { data, issuerCert } as Presented['certificate'] }
}

const ask = (ca: string, hostname: string, chain: string[], errorCode?: number) =>
  verifyChain(presented(hostname, chain, errorCode), readCertificates(ca), Date.now())

describe('a connection’s CA', () => {
  it('adds trust for what it has issued, for a name and for an address', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test', '127.0.0.1'])
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({ answer: trusted, why: '' })
    expect(ask(authority.ca, '127.0.0.1', [cert]).answer).toBe(trusted)
    expect(
      ask(`before\n${(await makeAuthority('other')).ca}${authority.ca}`, 'service.test', [cert, authority.ca]).answer,
    ).toBe(trusted)
  })

  it('leads to it over an intermediate, and not without one', async () => {
    const authority = await makeAuthority()
    const between = await authority.intermediate('between')
    const { cert } = await between.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [cert, between.ca]).answer).toBe(trusted)
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({
      answer: rejected,
      why: 'its authority is not known here',
    })
  })

  it('rejects another host', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    for (const other of ['other.test', 'test', 'service.test.evil.example', '127.0.0.1', '::1', '']) {
      expect(ask(authority.ca, other, [cert])).toEqual({ answer: rejected, why: 'it is for another host name' })
    }
  })

  it('rejects an expired certificate, the leaf as well as those above it', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'], { expired: true })
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({
      answer: rejected,
      why: 'it has expired, or is not valid yet',
    })
    const between = await authority.intermediate('between', { expired: true })
    const below = await between.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [below.cert, between.ca]).answer).toBe(rejected)
    expect(ask(between.ca, 'service.test', [below.cert]).answer).toBe(rejected)
    const good = await authority.issue(['service.test'])
    const later = new X509Certificate(authority.ca).validToDate.getTime() + 1
    expect(verifyChain(presented('service.test', [good.cert]), readCertificates(authority.ca), later).answer).toBe(
      rejected,
    )
  })

  it("rejects a server's certificate that was used as an issuer", async () => {
    const authority = await makeAuthority()
    const { leaf, issuer } = await issueByLeaf(authority, ['service.test'])
    expect(ask(authority.ca, 'service.test', [leaf, issuer])).toEqual({
      answer: rejected,
      why: 'its authority is not known here',
    })
    expect(ask(issuer, 'service.test', [leaf, issuer]).answer).toBe(rejected)
  })

  it("rejects a certificate of another connection's CA, even under the same name", async () => {
    const [authority, other] = await Promise.all([makeAuthority('Same'), makeAuthority('Same')])
    const { cert } = await other.issue(['service.test'])
    expect(ask(authority.ca, 'service.test', [cert]).answer).toBe(rejected)
    expect(ask(authority.ca, 'service.test', [cert, other.ca]).answer).toBe(rejected)
  })

  it('rejects a certificate that is not meant for a server', async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'], { purpose: '1.3.6.1.5.5.7.3.2' })
    expect(ask(authority.ca, 'service.test', [cert])).toEqual({
      answer: rejected,
      why: 'it may not be used for a server',
    })
  })

  it("may be the server's own certificate; any other self-signed one is rejected", async () => {
    const [own, other] = await Promise.all([makeSelfSigned(), makeSelfSigned()])
    expect(ask(own.cert, '127.0.0.1', [own.cert]).answer).toBe(trusted)
    expect(ask(own.cert, 'localhost', [own.cert]).answer).toBe(rejected)
    expect(
      verifyChain(presented('127.0.0.1', [own.cert]), readCertificates(own.cert), Date.now() + 48 * 3_600_000).answer,
    ).toBe(rejected)
    expect(ask(own.cert, '127.0.0.1', [other.cert]).answer).toBe(rejected)
  })

  it('rejects a certificate that it cannot read', async () => {
    const authority = await makeAuthority()
    expect(ask(authority.ca, 'service.test', ['hello'])).toEqual({ answer: rejected, why: 'it cannot be read' })
  })

  it("does not overrule Chromium's own result, good or bad", async () => {
    const authority = await makeAuthority()
    const { cert } = await authority.issue(['service.test'])
    // No error, a wrong name, a wrong date, revoked, too weak.
    for (const code of [0, -200, -201, -206, -208])
      expect(ask(authority.ca, 'service.test', [cert], code).answer).toBe(chromiumResult)
    expect(ask('', 'service.test', [cert]).answer).toBe(chromiumResult)
  })
})

/** A server on loopback whose chain leads over authorities made in turn, from the one that the operator pasted. */
async function servedBy(authorities: AuthorityOptions[], options: IssueOptions = {}) {
  const [first = {}, ...others] = authorities
  const pasted = await makeAuthority('Test CA', first)
  const line: Authority[] = [pasted]
  for (const [index, other] of others.entries())
    line.unshift(await (line[0] ?? pasted).intermediate(`between ${index}`, other))
  const { cert, key } = await (line[0] ?? pasted).issue(['127.0.0.1'], options)
  const between = line.slice(0, -1).map(({ ca }) => ca)
  const port = await listening(
    createServer({ cert: [cert, ...between].join('\n'), key, ciphers: 'DEFAULT@SECLEVEL=0' }, (_request, response) =>
      response.end('hello'),
    ),
  )
  const link = openNetwork({}).open(pasted.ca)
  const byOpenSsl = await link.fetch(`https://127.0.0.1:${port}/`).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
  await link.close()
  return { byOpenSsl, ...ask(pasted.ca, '127.0.0.1', [cert, ...between]) }
}

/** Name constraints: the addresses for which an authority may issue. */
const onlyFor = (address: string) => extensionOf('2.5.29.30', `300ea00c300a8708${address}ffffffff`)
const [here, elsewhere] = [onlyFor('7f000001'), onlyFor('0a000001')]
const strange = extensionOf('1.2.3.4', '0500')
const cRLSign = extensionOf('2.5.29.15', '03020102')
const [serverAuth, emailProtection] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.4']

describe('a chain to a connection’s CA', () => {
  it.each<[string, AuthorityOptions[], IssueOptions?]>([
    ['of one', [{}]],
    ['of one without a limit to its length', [{ pathLength: null }]],
    ['over two, as the limits allow', [{ pathLength: 2 }, { pathLength: 1 }, { pathLength: 0 }]],
    ['over one for servers', [{}, { extensions: [purposeOf(serverAuth)] }]],
    ['of RSA', [{ keys: 'rsa' }, { keys: 'rsa' }]],
    ['of RSA-PSS', [{ keys: 'pss' }, { keys: 'pss' }]],
  ])('is trusted by both shells: %s', async (_name, authorities, options) => {
    expect(await servedBy(authorities, options)).toEqual({ byOpenSsl: 200, answer: trusted, why: '' })
  })

  it.each<[string, string, AuthorityOptions[], IssueOptions?]>([
    [
      'a CA for other names',
      'its authority may vouch for certain names only, and Muster cannot check which',
      [{ extensions: [elsewhere] }, {}],
    ],
    [
      'an intermediate for other names',
      'its authority may vouch for certain names only, and Muster cannot check which',
      [{}, { extensions: [elsewhere] }],
    ],
    [
      'an intermediate for post',
      'its authority may not be used for servers',
      [{}, { extensions: [purposeOf(emailProtection)] }],
    ],
    ['a CA for post', 'its authority may not be used for servers', [{ extensions: [purposeOf(emailProtection)] }]],
    ['a CA that may make none', 'its authority may not make other authorities', [{ pathLength: 0 }, {}]],
    [
      'an intermediate that may make none',
      'its authority may not make other authorities',
      [{ pathLength: null }, { pathLength: 0 }, {}],
    ],
    [
      'a condition of its issuer that is not known',
      'its authority is rejected: it holds a condition that Muster does not know',
      [{}, { extensions: [strange] }],
    ],
    [
      'a condition that is not known',
      'it holds a condition that Muster does not know',
      [{}],
      { extensions: [strange] },
    ],
    [
      'a leaf that may sign others and nothing else',
      'it may not be used for a server',
      [{}],
      { extensions: [cRLSign] },
    ],
    ['a weak signature', 'its signature is too weak', [{}], { hash: 'SHA-1' }],
    ['a weak key above it', 'its authority is rejected: its key is too weak', [{}, { keys: 'weak' }]],
    ['a weak key of the CA', 'its authority is rejected: its key is too weak', [{ keys: 'weak' }]],
  ])('is rejected by both shells: %s', async (_name, why, authorities, options) => {
    const { byOpenSsl, ...judged } = await servedBy(authorities, options)
    expect(judged).toEqual({ answer: rejected, why })
    expect(byOpenSsl).toMatch(/^tls: /)
  })

  it('is rejected where names are constrained, even to the right ones: that is not checked here', async () => {
    const { byOpenSsl, answer } = await servedBy([{ extensions: [here] }])
    expect([byOpenSsl, answer]).toEqual([200, rejected])
  })

  it('is rejected where its encoding is broken', async () => {
    const authority = await makeAuthority()
    const raw = new X509Certificate((await authority.issue(['127.0.0.1'])).cert).raw
    for (const bytes of [
      Buffer.alloc(0),
      raw.subarray(0, 200),
      Buffer.concat([raw, raw]),
      Buffer.from([0x30, 0x80, 0, 0]),
      Buffer.from('3081050000000000', 'hex'),
    ]) {
      expect(() => readFields(bytes)).toThrow()
    }
    expect([...readFields(raw).extensions.keys()]).toEqual(['551d11', '551d25'])
  })
})
