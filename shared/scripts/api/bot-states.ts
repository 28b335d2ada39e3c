import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { botStateKey } from '../../platform/store/keys/scripts.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'

const keptMs = 60 * 60 * 1000

interface BotState {
  readonly state: string | null
  /** Epoch milliseconds. */
  readonly until: number
}

const nothing: BotState = { state: null, until: 0 }

const botStateItem = (tenant: TenantRef, chatId: string, { state, until }: BotState): Item & Key => ({
  ...botStateKey(tenant, chatId),
  kind: 'bot_state',
  v: 1,
  state,
  until,
  expires_at: Math.ceil(until / 1000),
})

const readBotState = (item: Item): BotState => ({ state: String(item.state), until: Number(item.until) })

/** The state of a bot in each chat. Stored at once, whether or not the operation succeeds; expires after one hour. */
export interface BotStates {
  set(chatId: string, state: string): Promise<void>
  get(chatId: string): Promise<string | null>
  clear(chatId: string): Promise<void>
}

export const botStates = (
  { store, clock }: { store: Store; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
): BotStates => ({
  async set(chatId, state) {
    const until = clock.now() + keptMs
    await store.write(tenant, { put: botStateItem(tenant, chatId, { state, until }) })
  },
  // TTL removes the row some time later, so its time is checked here.
  async get(chatId) {
    const item = await store.get(tenant, botStateKey(tenant, chatId))
    const { state, until } = item ? readBotState(item) : nothing
    return until > clock.now() ? state : null
  },
  clear: (chatId) => store.write(tenant, { remove: botStateKey(tenant, chatId) }),
})

/** Bot states for a dry run: reads what is stored, and keeps changes in memory. */
export function dryRunBotStates(stored: BotStates): BotStates {
  const changed = new Map<string, string | null>()
  return {
    async set(chatId, state) {
      changed.set(chatId, state)
    },
    get: async (chatId) => (changed.has(chatId) ? (changed.get(chatId) ?? null) : stored.get(chatId)),
    async clear(chatId) {
      changed.set(chatId, null)
    },
  }
}
