import { createSender, type Send } from '../../../shared/platform/queue/send.ts'

let sender: Send | undefined

/** Sends messages. The SQS client is created with the first one, because most invocations send none. */
export const send: Send = (...message) => (sender ??= createSender())(...message)
