import { findUser, localeOfAddress } from '../../shared/auth/service.ts'
import { expandIntent, ExpansionRequest, type FindAddress } from '../../shared/deliveries/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { contents } from '../wiring/messages/contents.ts'
import { wakeDeliveries } from '../wiring/messages/wake-deliveries.ts'
import { store } from '../wiring/store.ts'

const findAddress: FindAddress = async (tenant, userId, type) => {
  const user = await findUser(store, tenant, userId)
  if (!user?.isActive) return { problem: `There is no active user ${userId}.` }
  if (type !== 'email') return { problem: `The user ${userId} has linked no chat of the messenger.` }
  return user.email === null
    ? { problem: `The user ${userId} has no mail address.` }
    : { address: user.email, locale: user.locale }
}

const dependencies = {
  store,
  clock,
  wake: wakeDeliveries,
  ...contents,
  findAddress,
  findLocale: localeOfAddress(store),
}

/** Makes one delivery for each recipient of an intent. */
export const handler = onQueue(ExpansionRequest, ({ tenant_id, intent }) =>
  expandIntent(dependencies, { id: tenant_id }, intent),
)
