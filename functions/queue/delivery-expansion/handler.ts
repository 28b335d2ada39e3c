import { localeOfAddress } from '../../../shared/accounts/people/lookup/user-of-address.ts'
import { findUser } from '../../../shared/accounts/people/user.ts'
import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { answerLimits } from '../../../shared/messages/deliveries/answers/answer-brake.ts'
import { expandIntent, type ExpansionDependencies } from '../../../shared/messages/deliveries/expand/expand-intent.ts'
import { addressOfUser, type FindAddress } from '../../../shared/messages/deliveries/expand/recipient.ts'
import { ExpansionRequest } from '../../../shared/messages/deliveries/messages.ts'
import { mailSendersOf } from '../../../shared/messages/incoming-messages/mail-senders-of.ts'
import { gatherHeld, heldUntil } from '../../../shared/messages/notifications/gather-held.ts'
import { notifyPeople } from '../../../shared/messages/notifications/notify-people.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { contents } from '../../wiring/messages/contents.ts'
import { noticeReaders } from '../../wiring/messages/noticed-record.ts'
import { wakeDeliveries } from '../../wiring/messages/wake-deliveries.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { store } from '../../wiring/platform/store.ts'

const findAddress: FindAddress = async (tenant, userId, type) =>
  addressOfUser(await findUser(store, tenant, userId), userId, type)

const notifying = { store, clock, config, ...lazyObjects, ...noticeReaders }
const notify: ExpansionDependencies['notify'] = async (ref, notices) => {
  const tenant = await findTenantOfMessage(store, ref.id)
  if (tenant) await notifyPeople(notifying, tenant, notices)
}

const limitsOf: ExpansionDependencies['answerLimits'] = async (ref) => {
  const tenant = await findTenantOfMessage(store, ref.id)
  return tenant ? answerLimits(config, tenant) : { perHour: 0, ownAddresses: new Set() }
}

const dependencies: ExpansionDependencies = {
  store,
  clock,
  wake: wakeDeliveries,
  ...contents,
  notify,
  findAddress,
  findLocale: localeOfAddress(store),
  answerLimits: limitsOf,
  async heldUntil(ref, ...held) {
    const tenant = await findTenantOfMessage(store, ref.id)
    return tenant ? heldUntil(notifying, tenant, ...held) : clock.now()
  },
  async gather(ref, ...held) {
    const tenant = await findTenantOfMessage(store, ref.id)
    return tenant && gatherHeld(notifying, tenant, ...held)
  },
  mailSendersOf: (tenant, record, sinceMs) => mailSendersOf(store, tenant, record, sinceMs),
}

/** What a step of an expansion may take. */
const stepMs = 15_000

/** Makes one delivery for each recipient of an intent. */
export const handler = onQueue(ExpansionRequest, ({ tenant_id, intent }, remainingMs) =>
  expandIntent(dependencies, { id: tenant_id }, intent, () => remainingMs() < stepMs),
)
