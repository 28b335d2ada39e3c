/** A company whose mails are stored on a table in memory, and what it sent about its record. */
import { createTenantWithAdministrator } from '../../../../shared/accounts/people/create-tenant.ts'
import { deliveryItem, readDelivery } from '../../../../shared/messages/deliveries/rows/delivery-row.ts'
import { intentItem } from '../../../../shared/messages/deliveries/rows/intent-row.ts'
import { type Delivery, messageId } from '../../../../shared/messages/deliveries/state/delivery.ts'
import { threadKeys } from '../../../../shared/messages/deliveries/threads/thread-key.ts'
import { findMessage } from '../../../../shared/messages/incoming-messages/find-message.ts'
import type { IncomingMessage } from '../../../../shared/messages/incoming-messages/message.ts'
import { type ReceivedMail, storeMail } from '../../../../shared/messages/mailbox/mail/store-mail.ts'
import { type MailThread, mailThread } from '../../../../shared/platform/mail/record-thread.ts'
import { deliveryKey } from '../../../../shared/platform/store/keys/messages/deliveries.ts'
import { recordKey } from '../../../../shared/platform/store/keys/records.ts'
import type { Write } from '../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../builders/frozen-clock.ts'
import { aDelivery } from '../../builders/messages/deliveries.ts'
import { memoryObjects } from '../stores/memory-objects.ts'
import type { SingleTable } from '../stores/single-table.ts'

export type MailWorld = Awaited<ReturnType<typeof mailWorld>>

const record = { model: 'requests', id: 42 }
const arrival = new Date('2026-11-20T09:00:00Z')
const deliveryId = 5

/** A new company with the record 42 of `requests`, and the user `ada@<slug>.test`. */
export async function mailWorld(table: SingleTable, slug: string) {
  const clock = frozenClock()
  const objects = memoryObjects()
  const administrator = { name: 'Ada', email: `ada@${slug}.test`, password: 'sufficiently long 7' }
  const { tenant } = await createTenantWithAdministrator(
    { store: table.store, clock },
    { slug, name: slug, administrator },
  )
  const putRecord = (id: number) =>
    table.store.write(tenant, { put: { ...recordKey(tenant, record.model, id), kind: 'record' } })
  await putRecord(record.id)
  let messages = 0

  const services = () => ({
    store: table.store,
    clock,
    putObject: objects.putObject,
    fetchObject: objects.fetchObject,
    threadKey: threadKeys({ store: table.store, clock }),
    trustedServer: async () => 'mx.acme.test',
  })
  const store = (raw: Buffer | null, more: Partial<ReceivedMail> = {}, writes: Write[] = []) =>
    storeMail(services(), tenant, { raw, sizeBytes: raw?.length ?? 9, internalDate: arrival, ...more }, writes)

  /** Stores a mail and answers the message that it became. */
  async function stored(...given: Parameters<typeof store>): Promise<IncomingMessage> {
    if ((await store(...given)) !== 'stored') throw new Error('the mail was known')
    messages += 1
    const reader = { store: table.store, fetchObject: objects.fetchObject }
    return (await findMessage(reader, tenant, messages)) as IncomingMessage
  }

  /** A mail about the record that was delivered to the user; answers its ids. */
  async function delivered(changes: Partial<Delivery> = {}): Promise<MailThread> {
    const delivery = aDelivery({
      channelType: 'email',
      recipient: `Ada@${slug}.test`,
      status: 'delivered',
      nextAttemptAtMs: null,
      intent: clock.uuid(),
      id: deliveryId,
      n: 2,
      ...changes,
    })
    const intent = { ...delivery, uuid: delivery.intent, recipients: [] }
    const firstId = delivery.id - delivery.n
    await table.store.write(tenant, { put: { ...intentItem(tenant, intent, {}, 0), first_id: firstId } })
    await table.store.write(tenant, { put: deliveryItem(tenant, delivery, clock.now()) })
    return mailThread(await services().threadKey(tenant), tenant.id, record, messageId(delivery))
  }

  const deliveryNow = async () => readDelivery((await table.store.get(tenant, deliveryKey(tenant, deliveryId))) as Item)

  return { tenant, clock, objects, arrival, services, putRecord, store, stored, delivered, deliveryNow }
}
