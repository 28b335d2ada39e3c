import * as z from 'zod'
import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { processMessage } from '../../../shared/automation/incoming-actions/run/process-message.ts'
import { MessageVersion } from '../../../shared/platform/queue/message-version.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { continueLater } from '../../wiring/incoming/continue-later.ts'
import { rules } from '../../wiring/incoming/rules.ts'
import { prepareMessage } from '../../wiring/messages/prepare-message.ts'
import { store } from '../../wiring/platform/store.ts'

const MessageStored = z.object({ v: MessageVersion, tenant_id: z.int(), message_id: z.int() })

/** Runs the automatic rules for every message that came in, in the order of each conversation. */
export const handler = onQueue(MessageStored, async ({ tenant_id, message_id }, remainingMs, isRepeat) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  // The messages of a deleted tenant wait; after its restore, `reprocess` runs their rules.
  if (!tenant || tenant.deleteAt !== undefined) return
  const dependencies = { ...rules, prepare: prepareMessage, continueLater }
  await processMessage(dependencies, tenant, message_id, { remainingMs, isRepeat })
})
