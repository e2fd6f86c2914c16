import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto as Crypto)
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 60 * 60_000

/** PEM texts, as `https.createServer` takes them. */
export interface Served {
  cert: string
  key: string
}

export interface Authority {
  /** PEM, for the connection's CA field. */
  ca: string
  issue(names: string[], options?: IssueOptions): Promise<Served>
  /** An authority below this one. */
  intermediate(name: string, options?: { expired?: boolean }): Promise<Authority>
}

export interface IssueOptions {
  expired?: boolean
  purpose?: string
}

interface Issuer {
  certificate: x509.X509Certificate
  keys: CryptoKeyPair
}

/** An authority made for one test; what it issues is for the names or addresses given. */
export async function makeAuthority(name = 'Test CA'): Promise<Authority> {
  const keys = await newKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 90 * day),
    notAfter: new Date(Date.now() + 90 * day),
    extensions: [new x509.BasicConstraintsExtension(true, 1, true), new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true)],
  })
  return authorityOf({ certificate: authority, keys })
}

function authorityOf(issuer: Issuer): Authority {
  return {
    ca: issuer.certificate.toString('pem'),
    issue: (names, options = {}) => issueBy(issuer, names, options),
    async intermediate(name, { expired = false } = {}) {
      const keys = await newKeys()
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${name}`,
        ...signedBy(issuer, keys, expired),
        extensions: [new x509.BasicConstraintsExtension(true, 0, true), new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true)],
      })
      return authorityOf({ certificate, keys })
    },
  }
}

async function issueBy(issuer: Issuer, names: string[], { expired = false, purpose = x509.ExtendedKeyUsage.serverAuth }: IssueOptions): Promise<Served> {
  const own = await newKeys()
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=test',
    ...signedBy(issuer, own, expired),
    extensions: [new x509.SubjectAlternativeNameExtension(names.map(generalName)), new x509.ExtendedKeyUsageExtension([purpose])],
  })
  return { cert: leaf.toString('pem'), key: await pemOf(own.privateKey) }
}

function signedBy({ certificate, keys }: Issuer, own: CryptoKeyPair, expired: boolean) {
  return {
    issuer: certificate.subject,
    publicKey: own.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 60 * day),
    notAfter: new Date(Date.now() + (expired ? -1 : 30) * day),
  }
}

/** A server's certificate by a server's certificate: its key signs, but it is no authority. */
export async function issueByLeaf(authority: Authority, names: string[]): Promise<{ leaf: string; issuer: string }> {
  const served = await authority.issue(['issuer.test'])
  const certificate = new x509.X509Certificate(served.cert)
  const key = await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(served.key), algorithm, true, ['sign'])
  const keys = { privateKey: key, publicKey: await certificate.publicKey.export() } as CryptoKeyPair
  return { leaf: (await issueBy({ certificate, keys }, names, {})).cert, issuer: served.cert }
}

/** Signed by itself, for loopback. */
export async function makeSelfSigned(): Promise<Served> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=alone',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    extensions: [new x509.SubjectAlternativeNameExtension([generalName('127.0.0.1')])],
  })
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

function generalName(name: string): { type: 'ip' | 'dns'; value: string } {
  return { type: /^[\d.]+$/.test(name) ? 'ip' : 'dns', value: name }
}

function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
}

async function pemOf(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key as webcrypto.CryptoKey), 'PRIVATE KEY')
}
