import * as z from 'zod'
import type { Clock } from '../../kernel/time/clock.ts'
import { MessageVersion } from '../../platform/queue/message-version.ts'
import type { Send } from '../../platform/queue/send.ts'

const parts = {
  v: MessageVersion,
  /** Names the mail over all attempts to send it. */
  id: z.string(),
  /** When it was asked for, in ms since the epoch: a mail that could not be sent for long is not sent any more. */
  asked_at_ms: z.number(),
}

/** The message that asks for a mail. It holds no secret: the mailer makes the one in the link. */
export const AccountMail = z.discriminatedUnion('kind', [
  z.object({ ...parts, kind: z.literal('password_reset'), email: z.string() }),
  z.object({ ...parts, kind: z.literal('email_verification'), email: z.string() }),
  z.object({ ...parts, kind: z.literal('invitation'), tenant_id: z.int(), invitation_id: z.int() }),
])
export type AccountMail = z.output<typeof AccountMail>

type Asked<M> = M extends unknown ? Omit<M, keyof typeof parts> : never

/** Where mails are asked for. */
export interface AccountMailQueue {
  readonly send: Send
  readonly queueUrl: string
  readonly clock: Pick<Clock, 'now' | 'uuid'>
}

/** Asks for a mail, which is sent in the background. Throws when the queue refuses the message. */
export async function queueAccountMail(
  { send, queueUrl, clock }: AccountMailQueue,
  mail: Asked<AccountMail>,
): Promise<void> {
  const [refused] = await send(queueUrl, [{ v: 1, id: clock.uuid(), asked_at_ms: clock.now(), ...mail }])
  if (refused) throw new Error(`the queue refused the mail: ${refused.reason}`)
}
