import { findUser } from '../../../shared/accounts/people/user.ts'
import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { type NamesTables, publicTable } from '../../../shared/kernel/table-names.ts'
import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { decisionToken, type MailedTask } from '../../../shared/platform/mail/decision-link.ts'
import { type FileToken, fileToken } from '../../../shared/platform/mail/file-token.ts'
import { followToken } from '../../../shared/platform/mail/follow-token.ts'
import type { MailRecord } from '../../../shared/platform/mail/record-thread.ts'
import { type StopLink, stopToken, type StopUrls } from '../../../shared/platform/mail/stop-link.ts'
import { followedTables } from '../../../shared/platform/settings/read-settings.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'

export const threadKey = threadKeys({ store, clock })

/** The link by which somebody who is no user follows a record; undefined where the company allows none. */
export async function followUrl(ref: TenantRef, record: MailRecord): Promise<string | undefined> {
  const tenant = await findTenantOfMessage(store, ref.id)
  if (!tenant || !(await followedTables(config, tenant)).has(record.model)) return undefined
  return `${publicUrl()}/follow/${followToken(await threadKey(tenant), tenant.id, record)}`
}

/** The link by which whoever has it downloads a file that left with a comment. */
export const fileUrl = async (
  tenant: TenantRef,
  link: Pick<FileToken, 'commentId' | 'file' | 'expiresAt'>,
): Promise<string> =>
  `${publicUrl()}/api/files/sent/${fileToken(await threadKey(tenant), { tenantId: tenant.id, ...link })}`

/** The link by which a person decides a task, of whoever was mailed; undefined for somebody who is gone. */
export async function taskUrl(tenant: TenantRef, task: MailedTask): Promise<string | undefined> {
  const user = await findUser(store, tenant, task.userId)
  return user && `${publicUrl()}/decide/${decisionToken(await threadKey(tenant), tenant, task, user)}`
}

/** Where a person ends the notices that a mail to them was one of. */
export async function stopUrls(tenant: TenantRef, stop: StopLink): Promise<StopUrls> {
  const token = stopToken(await threadKey(tenant), tenant, stop)
  return { page: `${publicUrl()}/unsubscribe/${token}`, post: `${publicUrl()}/api/unsubscribe/${token}` }
}

/** Where somebody who may read a record finds it: in the app, which is the service's own unless `APP_URL` names another. */
export function recordUrl(tenant: NamesTables, { model, id }: MailRecord): string {
  return `${appUrl()}/e/${publicTable(tenant, model)}/${id}`
}

/** The address of the web app. */
export const appUrl = (): string => (environment().APP_URL ?? publicUrl()).replace(/\/+$/, '')
