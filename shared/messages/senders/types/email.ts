import { createMailSender } from '../../../platform/mail/send-mail.ts'
import { mayUseSes } from '../../../platform/mail/ses.ts'
import { createFetchPublic } from '../../../platform/net/guarded-request.ts'
import { emailSender } from '../email.ts'
import { graphSender } from '../send-by-graph.ts'
import type { CreateSender } from '../sender-context.ts'

/** Sends mails through public servers, and on one machine through those of that machine. */
export const createSender: CreateSender<'email'> = ({ environment, loopbackAllowed, mailToken }) =>
  emailSender({
    sendMail: createMailSender({
      sendByGraph: graphSender(createFetchPublic({ loopbackAllowed, timeoutMs: 15_000 })),
      loopbackAllowed,
      configurationSet: environment.SES_CONFIGURATION_SET,
    }),
    mailToken,
    localPort: environment.LOCAL_MAIL_PORT,
    mayUseSes: (slug, fromAddress) => mayUseSes(environment, slug, fromAddress),
  })
