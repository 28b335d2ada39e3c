import type { MessageAttributeValue, SNSClient } from '@aws-sdk/client-sns'
import { clientOptions } from '../../../kernel/runtime/client-options.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import type { SmsProvider } from './sms.ts'

/** How long SNS may take to accept a message, with the SDK's own attempts. */
const timeoutMs = 15_000

/**
 * Hands SMS to Amazon SNS, which sends them from the account of the deployment. SNS knows no idempotency: an attempt
 * whose answer was lost may be sent twice.
 */
export function smsThroughSns(given?: Pick<SNSClient, 'send'>): SmsProvider {
  let client = given
  return async ({ to, text }, { sender_id: senderId }) => {
    const { PublishCommand, SNSClient: Client } = await import('@aws-sdk/client-sns')
    client ??= new Client(clientOptions('sns'))
    const signal = AbortSignal.timeout(timeoutMs)
    const attributes: Record<string, MessageAttributeValue> = {
      'AWS.SNS.SMS.SMSType': textValue('Transactional'),
      ...(senderId !== undefined && { 'AWS.SNS.SMS.SenderID': textValue(senderId) }),
    }
    const command = new PublishCommand({ PhoneNumber: to, Message: text, MessageAttributes: attributes })
    try {
      const { MessageId } = await client.send(command, { abortSignal: signal })
      return { kind: 'delivered', ...(MessageId !== undefined && { excerpt: `MessageId ${MessageId}` }) }
    } catch (cause) {
      if (signal.aborted) return { kind: 'failed', error: `SNS did not answer within ${timeoutMs / 1000} s.` }
      return failureOf(cause)
    }
  }
}

const textValue = (text: string): MessageAttributeValue => ({ DataType: 'String', StringValue: text })

/**
 * The outcome of an error of SNS. Its message is left out: it names accounts and roles of the operator, and channels
 * belong to tenants.
 */
function failureOf(cause: unknown): Outcome {
  const { name, code: network, $fault: fault } = cause as { name: string; code?: unknown; $fault?: string }
  if (fault === undefined) {
    if (typeof network === 'string') return { kind: 'failed', error: `SNS could not be reached: ${network}.` }
    throw cause
  }
  const code = name.replace(/Exception$/, '')
  if (code === 'OptedOut')
    return { kind: 'refused', by: 'receiver', code, error: 'The number has opted out of messages of this account.' }
  if (/^(InvalidParameter|Validation)/.test(code))
    return {
      kind: 'refused',
      by: 'receiver',
      code,
      error: 'SNS does not accept the number, the text or the sender_id (11 letters and digits at most, one a letter).',
    }
  if (/^(AuthorizationError|AccessDenied|InvalidSecurity)/.test(code))
    return { kind: 'failed', code, error: 'This service may not send SMS: allow it sns:Publish to phone numbers.' }
  if (/Throttl/.test(code)) return { kind: 'failed', code, error: 'SNS accepts no more messages now.' }
  return { kind: 'failed', code, error: `SNS did not accept the message (${code}).` }
}
