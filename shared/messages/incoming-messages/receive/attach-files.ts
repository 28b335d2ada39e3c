import type { TenantRef } from '../../../kernel/tenancy.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { messageHolder } from '../../../tables/files/claim-rows.ts'
import { claimWrites } from '../../../tables/files/claims.ts'
import type { Attachment, IncomingMessage } from '../message.ts'
import { packMessage } from '../rows/content-row.ts'
import { changeMessage } from './save-message.ts'
import type { StoringDependencies } from './store-message.ts'

const pathsOf = (attachments: readonly Attachment[]): Set<string> =>
  new Set(attachments.flatMap(({ path }) => path ?? []))

/**
 * Replaces the files of a stored message, which were fetched after it was stored, and claims them. Answers the message
 * with them; undefined when it has changed since it was read, and nothing was written.
 */
export async function attachFiles(
  { store, clock, putObject }: StoringDependencies,
  tenant: TenantRef,
  message: IncomingMessage,
  attachments: readonly Attachment[],
): Promise<IncomingMessage | undefined> {
  const { id, body, bodyNew, payload, rev } = message
  const packed = packMessage(tenant, id, clock.uuid(), {
    body,
    ...(bodyNew !== undefined && { bodyNew }),
    payload,
    attachments,
  })
  if (packed.object) await putObject(packed.object.key, packed.object.body)
  const holder = { model: messageHolder, id, version: rev + 1 }
  const claims = claimWrites(clock, tenant, holder, pathsOf(message.attachments), pathsOf(attachments))
  try {
    const writes = [changeMessage(tenant, message, {}), { put: packed.item }, ...claims.writes]
    await store.transact(tenant, writes, clock.uuid())
  } catch (error) {
    if (error instanceof TransactionRefused) return undefined
    throw error
  }
  return { ...message, attachments, rev: rev + 1 }
}
