import { DecryptCommand, EncryptCommand, InvalidCiphertextException, KMSClient } from '@aws-sdk/client-kms'
import { maxSecretBytes } from '../../kernel/limits/accounts.ts'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { reportThrottles } from '../../kernel/throttling/retry-strategy.ts'

/** Seals texts so that only functions with the right to the key can read them. */
export interface SecretBox {
  /** The sealed text, in base64url. Throws RangeError over 4,096 bytes. */
  seal(tenant: TenantRef, name: string, text: string): Promise<string>
  /** The text. Throws BrokenSeal when it was sealed for another tenant or name, or was changed. */
  open(tenant: TenantRef, name: string, sealed: string): Promise<string>
}

/** A sealed text that this key did not seal for this tenant and name. */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal'
}

/**
 * A box over a key of KMS. Tenant and name are the encryption context: a sealed text that is copied to another row does
 * not open there, and policies allow functions some names only (`infra/catalogue/grants.ts`).
 */
export function createSecretBox(
  keyArn: string,
  client: Pick<KMSClient, 'send'> = reportThrottles(new KMSClient(clientOptions('kms')), 'kms'),
): SecretBox {
  const contextOf = (tenant: TenantRef, name: string) => ({ tenant: String(tenant.id), name })

  return {
    async seal(tenant, name, text) {
      const Plaintext = Buffer.from(text)
      if (Plaintext.length > maxSecretBytes) throw new RangeError(`a secret has at most ${maxSecretBytes} bytes`)
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId: keyArn, Plaintext, EncryptionContext: contextOf(tenant, name) }),
      )
      return Buffer.from(CiphertextBlob as Uint8Array).toString('base64url')
    },
    async open(tenant, name, sealed) {
      const CiphertextBlob = Buffer.from(sealed, 'base64url')
      if (CiphertextBlob.length === 0) throw new BrokenSeal('the sealed text is empty')
      try {
        const { Plaintext } = await client.send(
          new DecryptCommand({ KeyId: keyArn, CiphertextBlob, EncryptionContext: contextOf(tenant, name) }),
        )
        return Buffer.from(Plaintext as Uint8Array).toString()
      } catch (cause) {
        if (cause instanceof InvalidCiphertextException)
          throw new BrokenSeal(`${name} of tenant ${tenant.id}`, { cause })
        throw cause
      }
    },
  }
}
