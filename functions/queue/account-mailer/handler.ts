import { AccountMail } from '../../../shared/accounts/account-mail/account-mail.ts'
import { mailAccount } from '../../../shared/accounts/account-mail/mail-account.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { readMailSettings } from '../../wiring/messages/mail-settings.ts'
import { sendMail } from '../../wiring/messages/send-mail.ts'
import { store } from '../../wiring/platform/store.ts'

const { APP_URL: appUrl } = environment()
const mailer = {
  store,
  clock,
  readMailSettings,
  sendMail,
  addresses: { appUrl, publicUrl: publicUrl() },
}

/** Mails links to people: to set a new password, to confirm an address, to accept an invitation. */
export const handler = onQueue(AccountMail, (message, _remainingMs, again) => mailAccount(mailer, message, again))
