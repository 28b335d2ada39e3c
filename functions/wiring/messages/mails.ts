import { emailSender } from '../../../shared/messages/senders/service.ts'
import { mayUseSes, sendMail } from './send-mail.ts'

/** Sends mails. */
export const mails = emailSender({ sendMail, mayUseSes })
