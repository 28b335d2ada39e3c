import { createSender, type Send } from '../../shared/queue/send.ts'

let sender: Send | undefined

/** Makes the SQS client with the first message: most invocations send none. */
export const send: Send = (...message) => (sender ??= createSender())(...message)
