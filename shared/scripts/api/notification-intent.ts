import type * as z from 'zod'
import { InvalidApiCall } from './invalid-api-call.ts'
import { messageMethods } from './methods/message-methods.ts'
import type { MessageMethod } from './methods/messages/message-method.ts'

type Method = (typeof messageMethods)[number]
export type NotificationMethod = Method['name']
/** What a script asks to send. */
export type NotificationIntent = {
  [M in Method as M['name']]: { readonly method: M['name'] } & z.output<M['schema']>
}[NotificationMethod]

/** Reads the arguments of a call. @throws InvalidApiCall naming the argument that is wrong. */
export function readIntent(name: NotificationMethod, given: readonly unknown[]): NotificationIntent {
  const { schema, arrange } = messageMethod(name)
  const names = Object.keys(schema.shape)
  const args = arrange?.(given) ?? given
  const parsed = schema.safeParse(Object.fromEntries(names.map((each, index) => [each, args[index]])))
  if (parsed.success) return { method: name, ...parsed.data } as NotificationIntent
  const wrong = parsed.error.issues[0]
  throw new InvalidApiCall(
    `$api.${name}(${names.join(', ')}): ${wrong?.path.join('.') ?? 'arguments'} is missing or of the wrong kind.`,
  )
}

/** What a method answers in a script. */
export const answerOf = (name: NotificationMethod, isSent: boolean): boolean | null =>
  messageMethod(name).answersWhether === true ? isSent : null

const messageMethod = (name: NotificationMethod): MessageMethod =>
  messageMethods.find((method) => method.name === name) as MessageMethod
