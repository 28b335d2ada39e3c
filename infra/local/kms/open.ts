/**
 * KMS on one machine: encrypts and decrypts with the keys of the template. The key material is derived from one file
 * next to the data, so a copy of the data alone opens nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { JsonProvider } from '../sdk/providers.ts'

/** An error of KMS, worded as KMS words it. */
class KmsError extends Error {
  override readonly name = 'KmsError'
  readonly statusCode = 400
  readonly body: { readonly __type: string; readonly message: string }

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.body = { __type: code, message }
  }
}

const [ivBytes, tagBytes, keyBytes] = [12, 16, 32]
const maxPlaintextBytes = 4096
const algorithm = 'aes-256-gcm'

interface KmsInput {
  readonly KeyId?: string
  /** In base64, as the next one. */
  readonly Plaintext?: string
  readonly CiphertextBlob?: string
  readonly EncryptionContext?: Readonly<Record<string, string>>
}

/**
 * Answers Encrypt and Decrypt. `keyArns`: the keys of the template; `secret`: the content of the key file. Throws
 * KmsError, as KMS words it.
 */
export function openKms({ keyArns, secret }: { keyArns: readonly string[]; secret: Buffer }): JsonProvider {
  const keys = new Map(
    keyArns.map((arn) => [arn, Buffer.from(hkdfSync('sha256', secret, '', `local-kms\n${arn}`, keyBytes))]),
  )

  const keyOf = (id: string | undefined): Buffer => {
    const key = keys.get(id ?? '')
    if (!key) throw new KmsError('NotFoundException', `Key '${id}' does not exist`)
    return key
  }

  return async (operation, input: KmsInput) => {
    const context = contextBytes(input.EncryptionContext)
    switch (operation) {
      case 'Encrypt': {
        const text = Buffer.from(input.Plaintext ?? '', 'base64')
        if (text.length < 1 || text.length > maxPlaintextBytes)
          throw new KmsError('ValidationException', `Plaintext has 1 to ${maxPlaintextBytes} bytes`)
        const sealed = encrypt(keyOf(input.KeyId), text, context)
        return { CiphertextBlob: sealed.toString('base64'), KeyId: input.KeyId }
      }
      case 'Decrypt': {
        const sealed = Buffer.from(input.CiphertextBlob ?? '', 'base64')
        const text = decrypt(keyOf(input.KeyId), sealed, context)
        return { Plaintext: text.toString('base64'), KeyId: input.KeyId }
      }
      default:
        throw new KmsError('UnsupportedOperationException', `The local KMS does not answer ${operation}`)
    }
  }
}

/** The order of the members does not matter to KMS. */
const contextBytes = (context: KmsInput['EncryptionContext'] = {}): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))))

function encrypt(key: Buffer, text: Buffer, context: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(context)
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, context: Buffer): Buffer {
  if (sealed.length <= ivBytes + tagBytes) throw invalidCiphertext()
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes))
    .setAAD(context)
    .setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
  } catch (cause) {
    throw invalidCiphertext(cause)
  }
}

const invalidCiphertext = (cause?: unknown): KmsError => new KmsError('InvalidCiphertextException', '', cause)
