/** What is in a file of S/MIME: the mail that was signed, or nothing that can be read without a key. */
export type SignedContent =
  | { readonly kind: 'signed'; readonly mail: Buffer }
  | { readonly kind: 'encrypted' }
  | { readonly kind: 'other' }

const contentTypes = {
  data: '1.2.840.113549.1.7.1',
  signed: '1.2.840.113549.1.7.2',
  enveloped: '1.2.840.113549.1.7.3',
  encrypted: '1.2.840.113549.1.7.6',
  authEnveloped: '1.2.840.113549.1.9.16.1.23',
} as const

/**
 * Takes the mail out of a file of S/MIME that was signed in one piece (RFC 8551 §3.5.2). Whether the signature is right is not
 * asked: nobody told whose is trusted.
 */
export async function signedContent(bytes: Buffer): Promise<SignedContent> {
  const { fromBER, ObjectIdentifier, OctetString, Sequence } = await import('asn1js')
  const der = withoutArmour(bytes)
  try {
    const { result, offset } = fromBER(der)
    if (offset === -1 || !(result instanceof Sequence)) return { kind: 'other' }
    const [type, wrapped] = result.valueBlock.value
    const name = type instanceof ObjectIdentifier ? type.valueBlock.toString() : ''
    if (name === contentTypes.enveloped || name === contentTypes.authEnveloped || name === contentTypes.encrypted)
      return { kind: 'encrypted' }
    if (name !== contentTypes.signed) return { kind: 'other' }
    const [signedData] = childrenOf(wrapped)
    const encapsulated = childrenOf(signedData).find((one) => one instanceof Sequence)
    const [contentType, explicit] = childrenOf(encapsulated)
    if (!(contentType instanceof ObjectIdentifier) || contentType.valueBlock.toString() !== contentTypes.data)
      return { kind: 'other' }
    const [content] = childrenOf(explicit)
    return content instanceof OctetString
      ? { kind: 'signed', mail: Buffer.from(content.getValue()) }
      : { kind: 'other' }
  } catch {
    // Nothing of it can be told: it stays the file that it is.
    return { kind: 'other' }
  }
}

function childrenOf(block: unknown): readonly unknown[] {
  const { valueBlock } = (block ?? {}) as { readonly valueBlock?: { readonly value?: unknown } }
  return Array.isArray(valueBlock?.value) ? valueBlock.value : []
}

/** Some programs write it as text between lines of dashes. */
function withoutArmour(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 20).toString('latin1').startsWith('-----BEGIN ')) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll(/-----[^\n]*-----/g, ''), 'base64')
}
