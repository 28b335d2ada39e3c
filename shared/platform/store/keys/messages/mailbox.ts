import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { dueKey, duePartitions, type Key, singleKey, tenantPrefix } from '../key.ts'

/** How far the mailbox of a tenant was fetched. */
export const mailboxKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}MAILBOX`)
/** The refresh token that replaced the one of the settings. */
export const mailboxTokenKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}MAILBOX#TOKEN`)
/** How many mails with the same content were stored. `hash`: of the content. */
export const mailCopiesKey = (tenant: TenantRef, hash: string): Key =>
  singleKey(`${tenantPrefix(tenant)}MAILBOX#COPIES#${hash}`)

/** Mailboxes of all tenants, by the time of their next poll. */
export const mailboxDuePartitions = duePartitions('mailbox')
export const mailboxDueKey = (dueAt: string, tenant: TenantRef): Key =>
  dueKey(mailboxDuePartitions, tenant.id, dueAt, String(tenant.id))
/** Parses a sort key of `mailboxDuePartitions`; undefined for any other. */
export function parseMailboxDue(sort: string): TenantRef | undefined {
  const match = /#(\d+)$/.exec(sort)
  return match ? { id: Number(match[1]) } : undefined
}
