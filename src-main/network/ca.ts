import { X509Certificate } from 'node:crypto'
import { FaultError } from '../../src-shared/model/fault.ts'
import { certificateBlocks } from '../../src-shared/lib/pem.ts'

/**
 * Returns the certificates of a connection's CA field, which contains one or several PEM texts, and possibly other
 * text. Returns none for an empty field. Throws a `FaultError` of kind `ca` when it contains no certificate, or a
 * private key.
 */
export function readCertificates(text: string): X509Certificate[] {
  if (text.trim() === '') return []
  if (text.includes('PRIVATE KEY')) throw new FaultError('ca', 'the text holds a private key')
  const blocks = certificateBlocks(text)
  if (blocks.length === 0) throw new FaultError('ca', 'there is no certificate in it')
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw new FaultError('ca', `certificate ${index + 1} of ${blocks.length} is damaged`)
    }
  })
}
