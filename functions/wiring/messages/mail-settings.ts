import { environment } from '../../../shared/kernel/environment.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { type MailSettings, mailSettingNames, mailSettingsOf } from '../../../shared/mail/mail-settings.ts'
import { readSettings } from '../../../shared/settings/service.ts'
import { config } from '../config.ts'
import { secrets } from '../secrets.ts'

/**
 * The mail settings of a tenant, else those of the deployment. They are not mixed: the password of one server must not
 * be sent to another.
 */
export const readMailSettings = async (tenant: Tenant): Promise<MailSettings | undefined> =>
  mailSettingsOf(await readSettings({ config, secrets }, tenant, mailSettingNames)) ?? mailSettingsOf(environment())
