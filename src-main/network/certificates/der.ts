/** Fields of a certificate that Node's X509Certificate does not offer (RFC 5280, section 4). */
export interface Fields {
  /** Extensions by their object identifier, in hex digits of its DER. */
  extensions: Map<string, { critical: boolean; value: Buffer }>
  /** The algorithm of its signature, with parameters, in hex digits of its DER. */
  signedBy: string
}

interface Value {
  tag: number
  body: Buffer
}

const [boolean, integer, bitString, octetString, identifier, sequence, extensionsField] = [
  0x01, 0x02, 0x03, 0x04, 0x06, 0x30, 0xa3,
]

/** Reads a certificate's fields. Throws for any irregular encoding, which must not be trusted. */
export function readFields(certificate: Buffer): Fields {
  const [toBeSigned, algorithm] = valuesIn(only(certificate, sequence))
  if (toBeSigned?.tag !== sequence || algorithm?.tag !== sequence) throw new Error('no certificate')
  const field = valuesIn(toBeSigned.body).find(({ tag }) => tag === extensionsField)
  const extensions: Fields['extensions'] = new Map()
  for (const { body } of field === undefined ? [] : valuesIn(only(field.body, sequence))) {
    const [name, ...rest] = valuesIn(body)
    const value = rest.at(-1)
    if (name?.tag !== identifier || value?.tag !== octetString || extensions.has(name.body.toString('hex')))
      throw new Error('no extension')
    extensions.set(name.body.toString('hex'), { critical: rest.some(({ tag }) => tag === boolean), value: value.body })
  }
  return { extensions, signedBy: algorithm.body.toString('hex') }
}

/** Returns the largest number of authorities allowed between this one and a server's certificate. */
export function pathLengthIn(basicConstraints: Buffer): number {
  const length = valuesIn(only(basicConstraints, sequence)).find(({ tag }) => tag === integer)
  return length === undefined ? Infinity : length.body.readUIntBE(0, Math.min(length.body.length, 6))
}

/** Returns the first eight bits of a key usage; digitalSignature is 0x80. */
export function usesIn(keyUsage: Buffer): number {
  return only(keyUsage, bitString).readUInt8(1)
}

function only(bytes: Buffer, wanted: number): Buffer {
  const [value, ...more] = valuesIn(bytes)
  if (value?.tag !== wanted || more.length > 0) throw new Error('not what was expected')
  return value.body
}

/** Returns the consecutive values in these bytes. Throws for lengths that are not in DER's one form. */
function valuesIn(bytes: Buffer): Value[] {
  const values: Value[] = []
  for (let at = 0; at < bytes.length;) {
    const [tag, first] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)]
    const more = first < 0x80 ? 0 : first - 0x80
    if ((tag & 0x1f) === 0x1f || first === 0x80 || more > 3) throw new Error('no DER')
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const from = at + 2 + more
    if ((more > 0 && length < Math.max(0x80, 256 ** (more - 1))) || from + length > bytes.length)
      throw new Error('no DER')
    values.push({ tag, body: bytes.subarray(from, from + length) })
    at = from + length
  }
  return values
}
