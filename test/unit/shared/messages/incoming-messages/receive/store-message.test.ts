import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findMessageHead } from '../../../../../../shared/messages/incoming-messages/find-message.ts'
import type { NewMessage } from '../../../../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { messageOnceKey } from '../../../../../../shared/platform/store/keys/messages/incoming.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { type FrozenClock, frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let table: SingleTable
let clock: FrozenClock
let tenants = 0
let tenant: { id: number }
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(() => {
  clock = frozenClock()
  tenant = { id: ++tenants }
})

const store = (more: Partial<NewMessage> = {}, through: Store = table.store) =>
  storeMessage({ store: through, clock, putObject: async () => {} }, tenant, {
    channel: 'api',
    channelId: 1,
    fromName: null,
    fromEmail: null,
    fromId: null,
    subject: null,
    body: '',
    payload: {},
    attachments: [],
    receivedAtMs: clock.now(),
    ...more,
  })
const storedIds = async () =>
  (await table.itemsOf(`T#${tenant.id}#MSG#`)).filter(({ kind }) => kind === 'incoming_message').map(({ id }) => id)

it('a message that comes twice at the same time is stored once', async () => {
  const onceKey = 'update 7'
  let first: unknown
  const through = interruptedStore(table, 'TransactWriteItems', async () => (first = await store({ onceKey })))
  const second = await store({ onceKey }, through)
  expect([first, second]).toEqual([{ kind: 'stored', id: expect.any(Number) }, { kind: 'known' }])
  const { id } = first as { id: number }
  expect(await storedIds()).toEqual([id])
  expect(await table.store.get(tenant, messageOnceKey(tenant, onceKey))).toMatchObject({ message_id: id })
})

it('a message is known by its channel for 30 days, and by another one not at all', async () => {
  const onceKey = 'update 7'
  await store({ onceKey })
  const row = await table.store.get(tenant, messageOnceKey(tenant, onceKey))
  expect(row).toMatchObject({ expires_at: Math.floor(clock.now() / 1000) + 30 * 24 * 60 * 60 })
  expect(await store({ onceKey })).toEqual({ kind: 'known' })
  expect(await store({ onceKey: 'update 8' })).toMatchObject({ kind: 'stored' })
})

it('a message waits since it was stored, however old it is', async () => {
  const { id } = (await store({ receivedAtMs: clock.now() - 86_400_000 })) as { id: number }
  expect(await findMessageHead(table.store, tenant, id)).toMatchObject({ isWaiting: true, waitingSinceMs: clock.now() })
})
