import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { checkFiles } from '../../../tables/files/check-files.ts'
import type { FileDependencies } from '../../../tables/files/check-upload.ts'
import { describeFile } from '../../../tables/files/describe-file.ts'
import { findMessage } from '../find-message.ts'
import type { Attachment, IncomingMessage } from '../message.ts'
import type { MessageObjects } from '../rows/content-row.ts'
import type { MessageInput } from '../schema.ts'
import { requireReadable, storeMessage, type StoringDependencies } from './store-message.ts'

const attachmentsField = { fieldsByName: new Map([['attachments', { name: 'attachments', type: 'file' as const }]]) }

/** Stores a message that a program sends through the API. Throws Invalid for attachments that were not uploaded, and TooLarge. */
export async function receiveMessage(
  files: FileDependencies & StoringDependencies & MessageObjects,
  caller: Caller,
  input: MessageInput,
): Promise<IncomingMessage> {
  const { tenant, userId } = caller
  const { from_name, from_email, from_id, subject, body, payload, attachments = [] } = input
  requireReadable({ body, payload: payload ?? input })
  const stored = await storeMessage(files, tenant, {
    channel: 'api',
    channelId: null,
    fromName: from_name ?? null,
    fromEmail: from_email?.toLowerCase() ?? null,
    fromId: from_id ?? null,
    subject: subject ?? null,
    body,
    payload: payload ?? input,
    attachments: await describeFiles(files, tenant, attachments),
    userId,
    receivedAtMs: files.clock.now(),
  })
  if (stored.kind === 'known') throw new Error('a message without a key cannot be known')
  return (await findMessage(files, tenant, stored.id)) as IncomingMessage
}

async function describeFiles(
  files: FileDependencies,
  tenant: TenantRef,
  paths: readonly string[],
): Promise<Attachment[]> {
  if (paths.length === 0) return []
  const errors = await checkFiles(files, tenant, attachmentsField, { attachments: paths }, ['attachments'])
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const found = await Promise.all([...new Set(paths)].map((path) => describeFile(files.store, tenant, path)))
  return found.flatMap((file) =>
    file ? [{ name: file.name, content_type: file.content_type, size: file.size, path: file.path }] : [],
  )
}
