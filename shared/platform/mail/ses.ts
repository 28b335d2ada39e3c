import type { SESv2Client } from '@aws-sdk/client-sesv2'
import { own } from '../../kernel/collections/own-members.ts'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import { mayUseResource } from '../../kernel/runtime/environment.ts'
import type { SesSettings } from './mail-settings.ts'
import type { MailOutcome } from './mail.ts'
import type { Envelope } from './smtp-connection.ts'

/** Hands a message over to SES. Answers what became of it. */
export type SendBySes = (
  settings: SesSettings,
  envelope: Envelope,
  message: Buffer,
  signal: AbortSignal,
) => Promise<MailOutcome>

let opening: Promise<SESv2Client> | undefined

/** The client makes no attempts of its own: each attempt is one of the delivery's, and is recorded. */
const openClient = (): Promise<SESv2Client> =>
  (opening ??= import('@aws-sdk/client-sesv2').then(
    ({ SESv2Client: Client }) => new Client({ ...clientOptions('ses'), maxAttempts: 1 }),
  ))

/**
 * Sends the message as it is, to exactly the recipients of the envelope. SES puts a `Message-ID` of its own in place of ours,
 * so that a repeat is recognised by `X-Delivery-Id` only. `configurationSet` counts what became of the mails.
 */
export const createSesSender =
  (client: () => Promise<Pick<SESv2Client, 'send'>> = openClient, configurationSet?: string): SendBySes =>
  async (_settings, { from, to, cc }, message, signal) => {
    const { SendEmailCommand } = await import('@aws-sdk/client-sesv2')
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to], ...(cc.length > 0 && { CcAddresses: [...cc] }) },
      Content: { Raw: { Data: message } },
      ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
    })
    try {
      const { MessageId: id } = await (await client()).send(command, { abortSignal: signal })
      return { kind: 'delivered', code: '200', ...(id !== undefined && { excerpt: id }) }
    } catch (error) {
      return sesFailure(error, from)
    }
  }

/** Faults of the account or its settings: they end when an operator mends them, or by themselves. */
const accountFaults: Readonly<Record<string, string>> = {
  TooManyRequestsException: 'SES asks to send more slowly.',
  ThrottlingException: 'SES asks to send more slowly.',
  LimitExceededException: 'The sending quota of the SES account is used up.',
  SendingPausedException: 'Sending is paused in the SES account: the operator has to resume it.',
  AccountSuspendedException: 'The SES account is suspended: the operator has to have it restored.',
  MailFromDomainNotVerifiedException: 'The MAIL FROM domain is not verified in SES.',
  NotFoundException: 'SES knows no such identity or configuration.',
  AccessDeniedException: 'The service may not send through SES with this sender: the operator has to allow it.',
}

function sesFailure(error: unknown, from: string): MailOutcome {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'MessageRejected' && /not verified/i.test(message))
    return {
      kind: 'failed',
      code: name,
      error: `SES knows no verified identity for ${from}: verify its domain, or choose another from_address.`,
    }
  if (name === 'MessageRejected' || name === 'BadRequestException')
    return {
      kind: 'refused',
      by: 'receiver',
      code: name,
      error: `SES refused the mail: ${name}.`,
      excerpt: message.slice(0, 500),
    }
  if (name === 'TimeoutError' || name === 'AbortError')
    return {
      kind: 'failed',
      code: name,
      error: 'SES did not answer in time. Whether it accepted the mail is not known.',
    }
  const known = own(accountFaults, name)
  return { kind: 'failed', code: name, error: known ?? `SES did not accept the mail: ${name}.` }
}

/** The operator's settings that decide who may send as whom through the SES of the deployment. */
interface SesDomains {
  readonly APP_MODE: 'single' | 'saas'
  /** Slugs of tenants by domain. */
  readonly SES_DOMAINS?: ReadonlyMap<string, string>
}

/**
 * Whether a tenant may send from an address through SES. All tenants share the account, which has verified the domains of
 * several: none may send in the name of another.
 */
export function mayUseSes({ APP_MODE, SES_DOMAINS }: SesDomains, slug: string, fromAddress: string): boolean {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1).toLowerCase()
  return mayUseResource(APP_MODE, SES_DOMAINS, domain, slug)
}
