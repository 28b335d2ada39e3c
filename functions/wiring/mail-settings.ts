import { environment } from '../../shared/kernel/environment.ts'
import { type MailSettings, mailSettingsOf } from '../../shared/mail/mail-settings.ts'

/** The mail settings of the deployment, with which mails of every tenant are sent. */
export const readMailSettings = async (): Promise<MailSettings | undefined> => mailSettingsOf(environment())
