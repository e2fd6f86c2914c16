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
  intermediate(name: string, options?: AuthorityOptions): Promise<Authority>
}

export interface AuthorityOptions {
  expired?: boolean
  /** The path length of its basic constraints; unlimited when null. */
  pathLength?: number | null
  /** Besides the basic constraints and the key usage. */
  extensions?: x509.Extension[]
  keys?: KeyKind
}

export interface IssueOptions {
  expired?: boolean
  purpose?: string
  /** The common name of its subject. Without names it has no other. */
  commonName?: string
  extensions?: x509.Extension[]
  /** The issuer's signing key. */
  hash?: 'SHA-1' | 'SHA-256'
}

/** `weak`: RSA of 1024 bits. */
type KeyKind = 'ec' | 'rsa' | 'pss' | 'weak'

interface Issuer {
  certificate: x509.X509Certificate
  keys: CryptoKeyPair
}

/** An authority made for one test; what it issues is for the names or addresses given. */
export async function makeAuthority(name = 'Test CA', options: AuthorityOptions = {}): Promise<Authority> {
  const keys = await newKeys(options.keys)
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: signingBy(keys),
    notBefore: new Date(Date.now() - 90 * day),
    notAfter: new Date(Date.now() + 90 * day),
    extensions: extensionsOf(options, 1),
  })
  return authorityOf({ certificate: authority, keys })
}

function authorityOf(issuer: Issuer): Authority {
  return {
    ca: issuer.certificate.toString('pem'),
    issue: (names, options = {}) => issueBy(issuer, names, options),
    async intermediate(name, options = {}) {
      const keys = await newKeys(options.keys)
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${name}`,
        ...signedBy(issuer, keys, options),
        extensions: extensionsOf(options, 0),
      })
      return authorityOf({ certificate, keys })
    },
  }
}

function extensionsOf({ pathLength, extensions = [] }: AuthorityOptions, usualLength: number): x509.Extension[] {
  const length = pathLength === null ? undefined : (pathLength ?? usualLength)
  return [
    new x509.BasicConstraintsExtension(true, length, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ...extensions,
  ]
}

async function issueBy(issuer: Issuer, names: string[], options: IssueOptions): Promise<Served> {
  const { purpose = x509.ExtendedKeyUsage.serverAuth, commonName = 'test', extensions = [] } = options
  const own = await newKeys()
  const leaf = await x509.X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    ...signedBy(issuer, own, options),
    extensions: [
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names.map(generalName))]),
      new x509.ExtendedKeyUsageExtension([purpose]),
      ...extensions,
    ],
  })
  return { cert: leaf.toString('pem'), key: await pemOf(own.privateKey) }
}

/** The salt is RSA-PSS's own. */
function signingBy({ privateKey }: CryptoKeyPair, hash = 'SHA-256') {
  return Object.assign({ ...privateKey.algorithm, hash }, { saltLength: 32 })
}

function signedBy(
  { certificate, keys }: Issuer,
  own: CryptoKeyPair,
  { expired = false, hash = 'SHA-256' }: { expired?: boolean; hash?: string },
) {
  return {
    issuer: certificate.subject,
    publicKey: own.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: signingBy(keys, hash),
    notBefore: new Date(Date.now() - 60 * day),
    notAfter: new Date(Date.now() + (expired ? -1 : 30) * day),
  }
}

/** A server's certificate by a server's certificate: its key signs, but it is no authority. */
export async function issueByLeaf(authority: Authority, names: string[]): Promise<{ leaf: string; issuer: string }> {
  const served = await authority.issue(['issuer.test'])
  const certificate = new x509.X509Certificate(served.cert)
  const key = await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(served.key), algorithm, true, [
    'sign',
  ])
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

/** An extension by its object identifier and the hex digits of its DER. */
export function extensionOf(identifier: string, der: string): x509.Extension {
  return new x509.Extension(identifier, true, Buffer.from(der, 'hex'))
}

export function purposeOf(purpose: string): x509.Extension {
  return new x509.ExtendedKeyUsageExtension([purpose])
}

function generalName(name: string): { type: 'ip' | 'dns'; value: string } {
  return { type: /^[\d.]+$/.test(name) ? 'ip' : 'dns', value: name }
}

function newKeys(kind: KeyKind = 'ec'): Promise<CryptoKeyPair> {
  const rsa = {
    name: kind === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: kind === 'weak' ? 1024 : 2048,
  }
  return webcrypto.subtle.generateKey(kind === 'ec' ? algorithm : rsa, true, [
    'sign',
    'verify',
  ]) as Promise<CryptoKeyPair>
}

async function pemOf(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key as webcrypto.CryptoKey), 'PRIVATE KEY')
}
