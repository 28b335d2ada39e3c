import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { placeholdersOf } from './placeholders.ts'
import type { NotificationTemplate } from './template.ts'

/** What each notification template of a tenant names, by its code, from the store. */
export const placeholdersByCode = async (
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map(
    (await config.listFresh(tenant, 'NOTIFICATION_TEMPLATE'))
      .map((row) => readObject<NotificationTemplate>(row))
      .map((one) => [one.code, placeholdersOf(one)]),
  )
