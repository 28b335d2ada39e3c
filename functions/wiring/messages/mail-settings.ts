import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { channelOpener } from '../../../shared/messages/channels/config/channel-secrets.ts'
import { findEnabledChannel } from '../../../shared/messages/channels/list-channels.ts'
import { resolveChannel } from '../../../shared/messages/channels/resolve-channel.ts'
import { legacyChannelId } from '../../../shared/messages/channels/secret-name.ts'
import { mailSettingsOfChannel } from '../../../shared/messages/senders/email.ts'
import { type MailSettings, mailSettingsOf } from '../../../shared/platform/mail/mail-settings.ts'
import { config } from '../platform/config.ts'
import { readSecret } from '../platform/secret-references.ts'
import { secretBox } from '../platform/secrets.ts'
import { mailToken } from './mail-token.ts'
import { mayUseSes } from './send-mail.ts'

const openChannel = channelOpener(secretBox, clock)

/**
 * Through what the account mails of a tenant go: its default mail channel if that can send, else its settings `MAIL_*`,
 * else those of the deployment. They are not mixed: the password of one server must not be sent to another.
 */
export async function readMailSettings(tenant: Tenant): Promise<MailSettings | undefined> {
  const resolved = await resolveChannel({ config }, tenant, ['email'], null)
  const channel =
    'channel' in resolved
      ? resolved.channel
      : (await findEnabledChannel({ config }, tenant, { id: legacyChannelId, type: 'email' })).channel
  const opened = channel && (await openChannel<'email'>(tenant, channel))
  const found = opened?.config.auth && (await mailToken(tenant, opened, { fresh: false }))
  if (found && 'problem' in found)
    log.warn('the mail channel has no access token', { tenant_id: tenant.id, problem: found.problem })
  const token = found && 'token' in found ? found.token : undefined
  const settings =
    opened && (!found || token !== undefined)
      ? mailSettingsOfChannel(opened, environment().LOCAL_MAIL_PORT, token)
      : undefined
  const mayUse = settings?.transport !== 'ses' || mayUseSes(tenant.slug, settings.fromAddress)
  return settings && mayUse ? settings : mailSettingsOfOperator()
}

/** The password is read of Secrets Manager where the environment names it, with the first mail that needs it. */
async function mailSettingsOfOperator(): Promise<MailSettings | undefined> {
  const settings = mailSettingsOf(environment())
  const { MAIL_PASSWORD_SECRET: arn } = environment()
  return settings && arn !== undefined
    ? { ...settings, password: await readSecret('MAIL_PASSWORD_SECRET', arn) }
    : settings
}
