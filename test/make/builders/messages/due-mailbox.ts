import { mailboxDueKey, mailboxKey } from '../../../../shared/platform/store/keys/messages/mailbox.ts'
import { dueSlot, setSlot } from '../../../../shared/platform/store/slots.ts'
import type { TestService } from '../../services/service.ts'

/** Polls a mailbox of a tenant, the one of its settings unless another is named, in the background now, as if its time had come and no lease were left. */
export async function pollNow({ store, cloud }: TestService, tenant = { id: 1 }, id = 0): Promise<void> {
  const { pk, sk } = mailboxDueKey('2000-01-01T00:00:00.000Z', tenant, id)
  const { expression, values } = setSlot(dueSlot, pk, sk)
  await store.update(tenant, {
    update: mailboxKey(tenant, id),
    change: { expression: `SET ${expression}, lease_until = :free`, values: { ...values, ':free': 0 } },
  })
  await cloud.invoke('mailbox-poll')
}
