import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { graphSender } from '../../../shared/messages/senders/send-by-graph.ts'
import { createMailSender } from '../../../shared/platform/mail/send-mail.ts'
import { mayUseSes as mayUse } from '../../../shared/platform/mail/ses.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'

const loopbackAllowed = environment().LOOPBACK_TARGETS === 'allowed'

/** Sends mails through public servers, and on one machine through those of that machine. */
export const sendMail = createMailSender({
  loopbackAllowed,
  sendByGraph: graphSender(createFetchPublic({ loopbackAllowed, timeoutMs: 15_000 })),
  configurationSet: environment().SES_CONFIGURATION_SET,
})

/** Whether a tenant may send from an address through the SES of the deployment. */
export const mayUseSes = (slug: string, fromAddress: string): boolean => mayUse(environment(), slug, fromAddress)
