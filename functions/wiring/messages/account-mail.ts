import { clock } from '../../../shared/kernel/clock.ts'
import { requireEnvironment } from '../../../shared/kernel/require-environment.ts'
import { send } from '../send.ts'

/** Where mails of accounts are asked for. */
export const accountMailQueue = { send, clock, queueUrl: requireEnvironment('ACCOUNT_MAIL_QUEUE_URL') }
