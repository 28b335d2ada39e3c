import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { dueKey, duePartitions, type Key, singleKey, tenantPrefix } from '../key.ts'

/** 0 is the mailbox of the settings. */
const mailbox = (tenant: TenantRef, id: number): string => `${tenantPrefix(tenant)}MAILBOX${id === 0 ? '' : `#N#${id}`}`
/** How far a mailbox of a tenant was fetched. `id`: 0, when left out, is the one of the settings. */
export const mailboxKey = (tenant: TenantRef, id = 0): Key => singleKey(mailbox(tenant, id))
/** The refresh token of a mailbox; of the settings the one that replaced theirs. */
export const mailboxTokenKey = (tenant: TenantRef, id = 0): Key => singleKey(`${mailbox(tenant, id)}#TOKEN`)
/** How many mails with the same content were stored of a mailbox. `hash`: of the content. */
export const mailCopiesKey = (tenant: TenantRef, id: number, hash: string): Key =>
  singleKey(`${mailbox(tenant, id)}#COPIES#${hash}`)
/** Somebody who signs in at the provider of a mailbox, by the hash of the state. It is found before the tenant is known. */
export const mailboxSignInKey = (stateHash: string): Key => singleKey(`MAILBOX_SIGN_IN#${stateHash}`)

/** Mailboxes of all tenants, by the time of their next poll. */
export const mailboxDuePartitions = duePartitions('mailbox')
export const mailboxDueKey = (dueAt: string, tenant: TenantRef, id = 0): Key =>
  dueKey(mailboxDuePartitions, tenant.id, dueAt, `${tenant.id}${id === 0 ? '' : `.${id}`}`)
/** Parses a sort key of `mailboxDuePartitions`; undefined for any other. */
export function parseMailboxDue(sort: string): { readonly tenant: TenantRef; readonly id: number } | undefined {
  const match = /#(\d+)(?:\.(\d+))?$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, id: Number(match[2] ?? 0) } : undefined
}
