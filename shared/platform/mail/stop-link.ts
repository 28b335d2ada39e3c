import type { TenantRef } from '../../kernel/tenancy.ts'
import { personToken } from './person-token.ts'
import type { ThreadKey } from './record-thread.ts'

/** What ends notices of a person by one click: those about a record (`requests-42`), or of subscriptions (`subscription`). */
export interface StopLink {
  readonly userId: number
  readonly about: string
  /** When its mail was asked for (Unix milliseconds): the same in every attempt, and so is the link. */
  readonly askedAtMs: number
}

/** Where somebody ends notices: a page that asks once, and the address that a mail program posts to. */
export interface StopUrls {
  readonly page: string
  readonly post: string
}

/** What ends the notices of all subscriptions of a person. */
export const allSubscriptions = 'subscription'

/** Mails are read late: a link works for a year from when its mail was asked for. */
const lifeMs = 366 * 86_400_000

/** The token of the link. */
export const stopToken = (key: ThreadKey, tenant: TenantRef, { userId, about, askedAtMs }: StopLink): string =>
  personToken(key, 'unsubscribe', { tenantId: tenant.id, userId, about, expiresAtMs: askedAtMs + lifeMs })

/** The record that a link is about; undefined for another kind of link. */
export function recordOfStop(about: string): { readonly model: string; readonly id: number } | undefined {
  const match = /^([a-z][a-z0-9_~]{0,65})-(\d{1,12})$/.exec(about)
  return match ? { model: match[1] as string, id: Number(match[2]) } : undefined
}
