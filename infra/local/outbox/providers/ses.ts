/** SES v2: SendEmail with a raw message or a simple content. Every sender is verified. */
import { randomUUID } from 'node:crypto'
import type { JsonProvider } from '../../sdk/providers.ts'
import { composeSimple, type SimpleContent } from '../mail/compose-simple.ts'
import { mailSent } from '../mail/mail-sent.ts'
import type { Outbox } from '../outbox.ts'
import { ProviderError } from './provider-error.ts'

/** Limits of the service (developer guide, "Service quotas": message size of API v2, recipients per message). */
const limits = { bytes: 40 * 1024 * 1024, recipients: 50 } as const

interface SendEmailInput {
  readonly FromEmailAddress?: string
  readonly Destination?: {
    readonly ToAddresses?: readonly string[]
    readonly CcAddresses?: readonly string[]
    readonly BccAddresses?: readonly string[]
  }
  readonly ReplyToAddresses?: readonly string[]
  readonly Content?: {
    /** In base64. */
    readonly Raw?: { readonly Data?: string }
    readonly Simple?: SimpleContent
    readonly Template?: object
  }
}

export function openSes(outbox: Pick<Outbox, 'add'>): JsonProvider {
  return async (operation, input: SendEmailInput) => {
    if (operation !== 'SendEmail')
      throw new ProviderError('BadRequestException', `The local SES does not answer ${operation}.`)
    const MessageId = `${Date.now().toString(16)}-${randomUUID()}-000000`
    const source = await sourceOf(input)
    if (source.length > limits.bytes)
      throw new ProviderError(
        'BadRequestException',
        `Message length is more than ${limits.bytes} bytes long: '${source.length}'.`,
      )
    const to = recipientsOf(input)
    const from = input.FromEmailAddress
    if (from !== undefined) checkAddress(from)
    const sent = await mailSent({ provider: 'ses', from, to, source, meta: { message_id: MessageId } })
    // Without a destination, those of the headers get a raw message.
    if (sent.to.length === 0) throw new ProviderError('BadRequestException', "Missing required header 'To'.")
    if (!sent.from) throw new ProviderError('BadRequestException', "Missing required header 'From'.")
    outbox.add(sent)
    return { MessageId }
  }
}

async function sourceOf(input: SendEmailInput): Promise<Buffer> {
  const { Raw, Simple, Template } = input.Content ?? {}
  const given = [Raw, Simple, Template].filter((one) => one !== undefined).length
  if (given !== 1)
    throw new ProviderError('BadRequestException', 'Exactly one of Raw, Simple, or Template content is required.')
  if (Raw) {
    if (!Raw.Data) throw new ProviderError('BadRequestException', 'The raw message has no data.')
    return Buffer.from(Raw.Data, 'base64')
  }
  if (!Simple) throw new ProviderError('NotFoundException', 'The local SES has no templates.', 404)
  if (Simple.Subject?.Data === undefined || (Simple.Body?.Text?.Data ?? Simple.Body?.Html?.Data) === undefined)
    throw new ProviderError('BadRequestException', 'A simple content has a subject, and a body as text or HTML.')
  return composeSimple(Simple, {
    from: input.FromEmailAddress ?? '',
    to: input.Destination?.ToAddresses ?? [],
    cc: input.Destination?.CcAddresses ?? [],
    replyTo: input.ReplyToAddresses ?? [],
  })
}

function recipientsOf({ Destination = {} }: SendEmailInput): string[] {
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = Destination
  const to = [...ToAddresses, ...CcAddresses, ...BccAddresses]
  if (to.length > limits.recipients)
    throw new ProviderError('BadRequestException', `Recipient count exceeds ${limits.recipients}.`)
  to.forEach(checkAddress)
  return to
}

/** `ada@example.com` or `Ada <ada@example.com>`. */
function checkAddress(address: string): void {
  const plain = /<([^<>]*)>\s*$/.exec(address)?.[1] ?? address
  if (/[\r\n]/.test(address)) throw new ProviderError('BadRequestException', 'Illegal address')
  if (!plain.includes('@')) throw new ProviderError('BadRequestException', "Missing final '@domain'")
  if (!/^[^\s@,;]+@[^\s@,;]+$/.test(plain)) throw new ProviderError('BadRequestException', 'Illegal address')
}
