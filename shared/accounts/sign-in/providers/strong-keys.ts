const minModulusBits = 2048

/**
 * A key set of a provider without the RSA keys that anybody could sign with, or soon: NIST FIPS 186-5 §A.1.1 asks for an odd
 * exponent between 2^16 and 2^256 (with e = 1 every text is its own signature), and for 2,048 bits. Whatever is no key set
 * is answered as it is.
 */
export function strongKeys(keySet: unknown): unknown {
  if (typeof keySet !== 'object' || keySet === null || !('keys' in keySet) || !Array.isArray(keySet.keys)) return keySet
  return { ...keySet, keys: keySet.keys.filter((key: unknown) => !isWeak(key)) }
}

function isWeak(key: unknown): boolean {
  if (typeof key !== 'object' || key === null || !('kty' in key) || key.kty !== 'RSA') return false
  const { n, e } = key as { readonly n?: unknown; readonly e?: unknown }
  const [modulus, exponent] = [integer(n), integer(e)]
  const isStrong =
    exponent % 2n === 1n && exponent > 2n ** 16n && exponent < 2n ** 256n && modulus >= 2n ** BigInt(minModulusBits - 1)
  return !isStrong
}

/** The integer of a member in base64url (RFC 7518 §2); 0 for anything else. */
const integer = (value: unknown): bigint =>
  typeof value === 'string' ? BigInt(`0x0${Buffer.from(value, 'base64url').toString('hex')}`) : 0n
