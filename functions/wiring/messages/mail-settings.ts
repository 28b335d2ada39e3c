import { channelOpener, resolveChannel } from '../../../shared/channels/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { type MailSettings, mailSettingNames, mailSettingsOf } from '../../../shared/mail/mail-settings.ts'
import { mailSettingsOfChannel } from '../../../shared/senders/service.ts'
import { readSettings } from '../../../shared/settings/service.ts'
import { config } from '../config.ts'
import { secretBox, secrets } from '../secrets.ts'
import { mayUseSes } from './send-mail.ts'

const openChannel = channelOpener(secretBox, clock)

/**
 * Through what the account mails of a tenant go: its default mail channel if that can send, else its settings `MAIL_*`,
 * else those of the deployment. They are not mixed: the password of one server must not be sent to another.
 */
export const readMailSettings = async (tenant: Tenant): Promise<MailSettings | undefined> =>
  (await readDefaultChannel(tenant)) ??
  mailSettingsOf(await readSettings({ config, secrets }, tenant, mailSettingNames)) ??
  mailSettingsOf(environment())

async function readDefaultChannel(tenant: Tenant): Promise<MailSettings | undefined> {
  const resolved = await resolveChannel({ config }, tenant, ['email'], null)
  if (!('channel' in resolved)) return undefined
  const settings = mailSettingsOfChannel(await openChannel<'email'>(tenant, resolved.channel))
  return settings.transport === 'ses' && !mayUseSes(tenant.slug, settings.fromAddress) ? undefined : settings
}
