import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const DAY = 24 * 60 * 60_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** The issuer of the server's certificate. All in PEM. */
export type Authority = { ca: string; caKey: string }

/** All in PEM. `ca` is what a client must trust; the others are the server's. */
export type Certificates = { ca: string; certificate: string; key: string }

/** `right`: for loopback, valid. `expired`: expired yesterday. `other-host`: valid, but for another host name. */
type CertificateKind = 'right' | 'expired' | 'other-host'

/** Resolves with a new certificate authority, and a server certificate issued by it. */
export async function makeCertificates(kind: CertificateKind = 'right'): Promise<Certificates> {
  return certify(await makeAuthority(), kind)
}

/** Resolves with an authority for this many days from now. */
export async function makeAuthority(days = 365): Promise<Authority> {
  const keys = await newKeys()
  return { ca: (await selfSigned(keys, days)).toString('pem'), caKey: await keyPem(keys) }
}

/**
 * Resolves with a server certificate for 90 days, with its own key. Rejects when the authority's PEM cannot be read.
 */
export async function certify({ ca, caKey }: Authority, kind: CertificateKind = 'right'): Promise<Certificates> {
  const signingKey = await crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(caKey), algorithm, false, [
    'sign',
  ])
  const keys = await newKeys()
  const leaf = await makeLeaf(kind, new x509.X509Certificate(ca), signingKey, keys)
  return { ca, certificate: `${leaf.toString('pem')}\n`, key: await keyPem(keys) }
}

async function keyPem({ privateKey }: CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function selfSigned(keys: CryptoKeyPair, days: number): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Muster reference service CA',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 90 * DAY),
    notAfter: new Date(Date.now() + days * DAY),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  })
}

async function makeLeaf(
  kind: CertificateKind,
  ca: x509.X509Certificate,
  signingKey: CryptoKey,
  keys: CryptoKeyPair,
): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    subject: 'CN=Muster reference service',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 60 * DAY),
    notAfter: new Date(Date.now() + (kind === 'expired' ? -1 : 90) * DAY),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(namesOf(kind)),
      await x509.AuthorityKeyIdentifierExtension.create(ca),
    ],
  })
}

function namesOf(kind: CertificateKind): x509.JsonGeneralNames {
  if (kind === 'other-host') return [{ type: 'dns', value: 'elsewhere.example' }]
  return [
    { type: 'ip', value: '127.0.0.1' },
    { type: 'ip', value: '::1' },
    { type: 'dns', value: 'localhost' },
  ]
}
