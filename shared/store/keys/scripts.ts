import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Key, keyHash, shardOf, shardsOf, singleKey, tenantPrefix, timeIdText } from './key.ts'

const scriptRuns = (tenant: TenantRef): string => `${tenantPrefix(tenant)}RUNS`
/** The shards of the run log. */
export const scriptRunPartitions = (tenant: TenantRef): readonly string[] => shardsOf(scriptRuns(tenant))
export const scriptRunKey = (tenant: TenantRef, id: number, runId: string): Key => ({
  pk: shardOf(scriptRuns(tenant), id),
  sk: `${timeIdText(id)}#${runId}`,
})

/** The state that a bot keeps for a chat. */
export const botStateKey = (tenant: TenantRef, chatId: string): Key =>
  singleKey(`${tenantPrefix(tenant)}BOT#${keyHash(chatId)}`)
