import { createMailSender } from '../../../platform/mail/send-mail.ts'
import { mayUseSes } from '../../../platform/mail/ses.ts'
import { emailSender } from '../email.ts'
import type { CreateSender } from '../sender-context.ts'

/** Sends mails through public servers, and on one machine through those of that machine. */
export const createSender: CreateSender<'email'> = ({ environment, loopbackAllowed }) =>
  emailSender({
    sendMail: createMailSender({ loopbackAllowed, configurationSet: environment.SES_CONFIGURATION_SET }),
    localPort: environment.LOCAL_MAIL_PORT,
    mayUseSes: (slug, fromAddress) => mayUseSes(environment, slug, fromAddress),
  })
