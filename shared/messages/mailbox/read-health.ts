import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { mailboxKey } from '../../platform/store/keys/messages/mailbox.ts'
import type { Store } from '../../platform/store/store.ts'
import { settingsMailboxId } from '../mailboxes/mailbox.ts'
import type { MailboxHealth } from '../mailboxes/schema.ts'
import { describeSettingsMailbox } from '../mailboxes/settings-mailbox.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { hasMailbox } from './find-mailbox.ts'
import { readMailbox } from './mailbox-row.ts'

/** How the fetching of a mailbox fares. Throws NotFound, also for settings that name none. */
export async function readHealth(
  services: Pick<ConnectionDependencies, 'config'> & { readonly store: Pick<Store, 'get'> },
  tenant: Tenant,
  id: number,
): Promise<MailboxHealth> {
  if (!(await isThere(services, tenant, id))) throw new NotFound('mailbox', { id })
  const { fetchedMs, newestMs, waiting, error } = readMailbox(await services.store.get(tenant, mailboxKey(tenant, id)))
  return { last_fetched_at: timeOf(fetchedMs), last_message_at: timeOf(newestMs), waiting, error }
}

const isThere = async (
  services: Pick<ConnectionDependencies, 'config'>,
  tenant: Tenant,
  id: number,
): Promise<boolean> =>
  id === settingsMailboxId
    ? (await describeSettingsMailbox(services, tenant, [])) !== undefined
    : hasMailbox(services, tenant, id)

const timeOf = (ms: number): string | null => (ms === 0 ? null : isoTime(ms))
