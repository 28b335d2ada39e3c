import { clearBotState } from './bot-states/clear-bot-state.ts'
import { getBotState } from './bot-states/get-bot-state.ts'
import { setBotState } from './bot-states/set-bot-state.ts'
import type { Declared } from './declared.ts'
import { messageMethods } from './message-methods.ts'
import type { ApiMethod } from './method.ts'
import { count } from './records/count.ts'
import { create } from './records/create.ts'
import { findUsers } from './records/find-users.ts'
import { find } from './records/find.ts'
import { get } from './records/get.ts'
import { query } from './records/query.ts'
import { remove } from './records/remove.ts'
import { sendProcessMessage } from './records/send-process-message.ts'
import { startProcess } from './records/start-process.ts'
import { update } from './records/update.ts'
import { sandboxMethods } from './sandbox-methods.ts'

const sending = messageMethods.map((method): ApiMethod => ({
  ...method,
  call: ({ notifications, source, report }, args) => notifications.ask(method.name, args, source, report),
}))

/** Every method of `$api`, in the groups and the order in which editors list them. */
export const methodGroups: readonly (readonly Declared[] | readonly ApiMethod[])[] = [
  [find, get, query, count, create, update, remove, findUsers, startProcess, sendProcessMessage],
  [...sending, setBotState, getBotState, clearBotState],
  sandboxMethods,
]

/** The methods that the service answers, by name. */
export const apiMethods: ReadonlyMap<string, ApiMethod> = new Map(
  methodGroups.flat().flatMap((method) => ('call' in method ? [[method.name, method]] : [])),
)
