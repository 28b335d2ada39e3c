import { environment } from '../../../shared/kernel/environment.ts'
import { createMailSender } from '../../../shared/mail/send-mail.ts'

/** Sends mails through public servers, and on one machine through those of that machine. */
export const sendMail = createMailSender({ loopbackAllowed: environment().LOOPBACK_TARGETS === 'allowed' })
