/** Deliveries on a table in memory, with a scripted receiver, a queue that may lose messages, and crashes. */
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import type { Channel } from '../../../../shared/messages/channels/channel.ts'
import {
  attemptDelivery,
  type AttemptDependencies,
} from '../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { type ChannelNotice, createChannelGate } from '../../../../shared/messages/deliveries/attempt/channel-gate.ts'
import {
  expandIntent,
  type ExpansionDependencies,
} from '../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { prepareIntent } from '../../../../shared/messages/deliveries/expand/write-intent.ts'
import { dueIntents, findDueDeliveries } from '../../../../shared/messages/deliveries/find-due.ts'
import type { OutgoingMessage } from '../../../../shared/messages/deliveries/sender.ts'
import type { Outcome } from '../../../../shared/messages/deliveries/state/outcome.ts'
import { createConfig, putConfigRow } from '../../../../shared/platform/store/config.ts'
import { dueItems } from '../../../../shared/platform/store/due/due-items.ts'
import { takeDueWork } from '../../../../shared/platform/store/due/due-work.ts'
import { tenantKey } from '../../../../shared/platform/store/keys/auth.ts'
import { belongsTo, keyOfItem } from '../../../../shared/platform/store/keys/key.ts'
import {
  deliveryDuePartitions,
  intentDuePartitions,
} from '../../../../shared/platform/store/keys/messages/deliveries.ts'
import { objectRow } from '../../../../shared/platform/store/rows/object-row.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../builders/frozen-clock.ts'
import type { SingleTable } from '../stores/single-table.ts'

/** The process is gone: nothing it does after this has an effect. */
class Crash extends Error {}

const aboutRecord = { model: 'requests', record_id: 42 }

export const testChannel: Channel = {
  id: 3,
  name: 'crm',
  type: 'webhook',
  direction: 'outgoing',
  isDefault: true,
  isEnabled: true,
  config: { url: 'https://crm.example.com', auth: { type: 'none' } },
  sealed: {},
  version: 1,
}

export type DeliveryWorld = Awaited<ReturnType<typeof deliveryWorld>>

/** `receive` answers what the receiver says to the nth message with this id, from 1. */
export async function deliveryWorld(
  table: SingleTable,
  tenantId: number,
  receive: (message: OutgoingMessage, n: number) => Outcome,
  channel: Channel = testChannel,
) {
  const tenant: Tenant = { id: tenantId, slug: `t${tenantId}`, name: 'Acme', configVersion: 1 }
  const clock = frozenClock()
  const received: OutgoingMessage[] = []
  const notices: ChannelNotice[] = []
  const audit = { userId: 1, at: '2026-11-20T08:00:00.000Z' }
  await table.store.write(tenant, { put: { ...tenantKey(tenant), kind: 'tenant', config_version: 1 } })
  await table.store.write(tenant, putConfigRow(tenant, 'CHANNEL', objectRow(channel), null, audit))

  /** A process. It crashes at its `crashAt`th operation: before it, or after it when its answer is lost. */
  function startProcess(crashAt = Infinity, when: 'before' | 'after' = 'before') {
    let [count, isDead] = [0, false]
    async function operation<T>(call: () => T | Promise<T>): Promise<T> {
      if (isDead) throw new Crash('dead')
      isDead = ++count === crashAt
      if (isDead && when === 'before') throw new Crash('before')
      const answer = await call()
      if (isDead) throw new Crash('after')
      return answer
    }
    const store: Store = table.storeThrough((_, call) => operation(call))
    const config = createConfig(store, clock)
    const woken: number[] = []
    const deliveries: AttemptDependencies & ExpansionDependencies = {
      notify: () => Promise.reject(new Error('no message of these tests is a notification')),
      store,
      clock,
      config,
      openChannel: async (_, { id, name, config: given }) => ({ id, name, config: given as never, signingSecrets: [] }),
      sender: {
        send: (message) =>
          operation(() => {
            received.push(message)
            return receive(message, received.filter(({ id }) => id === message.id).length)
          }),
      },
      gate: createChannelGate({ store, clock, config, tell: async (_, notice) => void notices.push(notice) }),
      objects: { fetchObject: async (key) => Promise.reject(new Error(`there is no object ${key}`)) },
      timeZone: async () => 'UTC',
      render: async ({ subject, body }) => ({ subject, html: body, text: body }),
      recordUrl: (_, { model, id }) => `https://acme.test/${model}/${id}`,
      threadKey: async () => Buffer.alloc(32, 7),
      findAddress: async (_, userId) => ({ problem: `There is no user ${userId}.` }),
      findLocale: async () => null,
      answerLimits: () => Promise.reject(new Error('no message of these tests answers a mail')),
      mailSendersOf: async () => [],
      heldUntil: () => Promise.reject(new Error('no message of these tests is held back')),
      gather: () => Promise.reject(new Error('no message of these tests is held back')),
      wake: (_, _type, ids) => operation(() => void woken.push(...ids)),
    }
    return { services: deliveries, woken, operations: () => count, crashed: () => isDead }
  }

  const ask = (recipients: readonly string[], body = '{"a":1}'): Promise<string> =>
    askFor({ recipients, content: { body, event: 'test' }, source: { ...aboutRecord, hook: 'after_create' } })

  /** What a subscription asks to send of a version of the record. */
  const askVersion = (subscription: number, version: number): Promise<string> =>
    askFor({
      recipients: ['https://crm.example.com'],
      content: { body: '{}', event: 'requests.update', change: { version, at: '2026-11-20T08:00:00.000Z' } },
      source: { ...aboutRecord, record_version: version, subscription_id: subscription },
    })

  async function askFor(send: Omit<Parameters<typeof prepareIntent>[2], 'channel'>): Promise<string> {
    const { write } = prepareIntent(clock, tenant, { channel, ...send })
    await table.store.transact(tenant, [write], clock.uuid())
    return String(write.put.uuid)
  }

  /** What the sweeper does, a minute later: takes what is due, and works on what of it is this tenant's. */
  async function sweep(services = startProcess().services): Promise<number> {
    clock.advance(61_000)
    const intents = (await takeDueWork(dueIntents, services, 100)).filter(({ wake }) => wake.tenant_id === tenantId)
    for (const { wake } of intents) await expandIntent(services, tenant, wake.intent)
    const due = (await findDueDeliveries(services, 100, 0)).filter((one) => one.tenant.id === tenantId)
    for (const { id } of due) await attemptDelivery(services, tenant, id)
    return intents.length + due.length
  }

  /** Sweeps until nothing of this tenant is due at any later time: neither an intent nor a delivery. */
  async function sweepUntilIdle(services = startProcess().services): Promise<void> {
    for (let round = 0; round < 1000; round++) {
      await sweep(services)
      if ((await waiting()).length === 0) return
    }
    throw new Error('deliveries are still due')
  }

  /** The intents and deliveries of this tenant that a sweeper has yet to look at, whenever that is. */
  async function waiting(): Promise<readonly object[]> {
    const partitions = [...intentDuePartitions, ...deliveryDuePartitions]
    const due = await dueItems(table.store, partitions, '9999', 100_000)
    return due.flat().filter((item) => belongsTo(keyOfItem(item), tenant))
  }

  return { tenant, clock, received, notices, startProcess, ask, askVersion, sweep, sweepUntilIdle }
}
