import { maxMailBytes } from '../../../shared/kernel/limits/incoming.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { isTimeZone } from '../../../shared/kernel/time/time-zone.ts'
import { administratorBell } from '../../../shared/messages/bell/tell-administrators.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import type { PollDependencies } from '../../../shared/messages/mailbox/dependencies.ts'
import { openMailbox } from '../../../shared/messages/mailbox/imap/open-mailbox.ts'
import { createAccessTokens } from '../../../shared/messages/mailbox/oauth/access-token.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'
import { readSettings } from '../../../shared/platform/settings/read-settings.ts'
import { createTables } from '../../../shared/tables/tables/read-tables.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { secrets } from '../platform/secrets.ts'
import { send } from '../platform/send.ts'
import { store } from '../platform/store.ts'

const { LOOPBACK_TARGETS, LOCAL_MAILBOX_PORT: localPort } = environment()
const loopbackAllowed = LOOPBACK_TARGETS === 'allowed'
const queueUrl = requireEnvironment('MAILBOXES_QUEUE_URL')
const fetchPublic = createFetchPublic({ loopbackAllowed, timeoutMs: 8_000 })
/** Graph answers mails whole. */
const fetchMail = createFetchPublic({ loopbackAllowed, timeoutMs: 20_000, maxBytes: maxMailBytes })
const storing = {
  store,
  clock,
  ...lazyObjects,
  threadKey: threadKeys({ store, clock }),
  timeZone: async (tenant: Tenant) => {
    const { TIMEZONE: zone } = await readSettings({ config, secrets }, tenant, ['TIMEZONE'])
    return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC'
  },
  tableNames: async (tenant: Tenant) =>
    (await createTables(config).all(tenant)).flatMap(({ name, is_system: isSystem }) => (isSystem ? [] : [name])),
  trustedServer: async (tenant: Tenant) => {
    const { IMAP_AUTHSERV_ID: name } = await readSettings({ config, secrets }, tenant, ['IMAP_AUTHSERV_ID'])
    return typeof name === 'string' ? name : undefined
  },
}

/** How mailboxes are opened, polled and woken. */
export const mailboxes: PollDependencies = {
  store,
  clock,
  config,
  secrets,
  fetchPublic,
  fetchMail,
  accessToken: createAccessTokens({ store, clock, secrets, fetchPublic }),
  openMailbox: (settings, credentials, signal) =>
    openMailbox(settings, credentials, { loopbackAllowed, localPort }, signal),
  // The parser of mails is loaded with the first one.
  storeMail: async (...given) =>
    (await import('../../../shared/messages/mailbox/mail/store-mail.ts')).storeMail(storing, ...given),
  tellAdministrators: administratorBell({ store, clock }),
  async wake({ id }, mailboxId) {
    const [refused] = await send(queueUrl, [{ v: 1, tenant_id: id, ...(mailboxId > 0 && { mailbox_id: mailboxId }) }], {
      fairGroup: String(id),
    })
    // The mailbox is due within a minute anyway.
    if (refused) log.warn('the queue refused a mailbox', { tenant_id: id, reason: refused.reason })
  },
}
