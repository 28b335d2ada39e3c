import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, keyHash, shardOf, shardsOf, singleKey, tenantPrefix, timeIdText } from './key.ts'

const scriptRuns = (tenant: TenantRef): string => `${tenantPrefix(tenant)}RUNS`
/** The shards of the run log. */
export const scriptRunPartitions = (tenant: TenantRef): readonly string[] => shardsOf(scriptRuns(tenant))
export const scriptRunKey = (tenant: TenantRef, id: number, runId: string): Key => ({
  pk: shardOf(scriptRuns(tenant), id),
  sk: `${timeIdText(id)}#${runId}`,
})

/** The runs of scripts for a record, in the order of their sort keys (slot 15). */
export const scriptRunsOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${scriptRuns(tenant)}#R#${model}#${recordId}`

/** The state that a bot keeps for a chat. */
export const botStateKey = (tenant: TenantRef, chatId: string): Key =>
  singleKey(`${tenantPrefix(tenant)}BOT#${keyHash(chatId)}`)
