import { findTenant } from '../../accounts/tenants/find-tenant.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import { isFileToken, parseFileToken } from '../../platform/mail/file-token.ts'
import { threadKeyKey } from '../../platform/store/keys/messages/deliveries.ts'
import type { FileDependencies } from '../../tables/files/check-upload.ts'
import { addressOfSentFile, findSentFile } from '../../tables/files/find-sent-file.ts'

/**
 * The signed address of a file that left as a link with a comment. Throws the same NotFound for a link that is wrong or has
 * expired, and once the file, its comment, the record or the company was removed.
 */
export async function openSentFile(files: FileDependencies, text: string): Promise<string> {
  const { store, clock } = files
  const token = parseFileToken(text)
  const tenant = token && (await findTenant(store, token.tenantId))
  // A tenant without a key has handed out no link.
  const key =
    tenant && tenant.deleteAt === undefined && !tenant.awaitsVerification
      ? await store.get(tenant, threadKeyKey(tenant))
      : undefined
  const isOurs = token && key && isFileToken(Buffer.from(String(key.key), 'base64url'), token, clock.now())
  const file = isOurs
    ? await findSentFile(store, tenant as NonNullable<typeof tenant>, token.commentId, token.file)
    : undefined
  if (!file)
    throw new NotFound(
      'file',
      {},
      'This link has expired, or its file was removed. Ask whoever sent it to send the file again.',
    )
  return addressOfSentFile(files, file)
}
