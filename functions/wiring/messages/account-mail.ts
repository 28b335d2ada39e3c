import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { send } from '../platform/send.ts'

/** Where mails of accounts are asked for. */
export const accountMailQueue = { send, clock, queueUrl: requireEnvironment('ACCOUNT_MAIL_QUEUE_URL') }
