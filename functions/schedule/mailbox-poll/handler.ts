import { log } from '../../../shared/kernel/runtime/log.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { pickUpDueMailboxes } from '../../../shared/messages/mailbox/pick-up-due.ts'
import { send } from '../../wiring/platform/send.ts'
import { store } from '../../wiring/platform/store.ts'

const queueUrl = requireEnvironment('MAILBOXES_QUEUE_URL')
const perShard = 500

/** Runs every minute: sends a message for each mailbox that is due. */
export async function handler(): Promise<{ sent: number }> {
  const due = await pickUpDueMailboxes({ store, clock }, perShard)
  const refused = await send(
    queueUrl,
    due.map(({ tenant, id }) => ({ v: 1, tenant_id: tenant.id, ...(id > 0 && { mailbox_id: id }) })),
    { fairGroup: due.map(({ tenant }) => String(tenant.id)) },
  )
  // These are due again some minutes later.
  if (refused.length > 0)
    log.warn('the queue refused mailboxes', { refused: refused.length, reason: refused[0]?.reason })
  return { sent: due.length - refused.length }
}
