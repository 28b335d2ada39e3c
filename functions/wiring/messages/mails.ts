import { emailSender } from '../../../shared/senders/service.ts'
import { sendMail } from './send-mail.ts'

/** Sends mails. */
export const mails = emailSender(sendMail)
