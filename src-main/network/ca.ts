import { X509Certificate } from 'node:crypto'
import { FaultError } from '../../src-shared/model/fault.ts'
import { certificateBlocks } from '../../src-shared/lib/pem.ts'

/**
 * The certificates of a connection's CA field, which holds one PEM text or several, and perhaps words between them.
 * None for an empty field. Throws a `FaultError` of kind `ca` when the text holds no certificate, or a private key.
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
