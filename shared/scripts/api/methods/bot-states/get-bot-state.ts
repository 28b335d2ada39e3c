import { chatId } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const getBotState = apiMethod('getBotState(chat id)', [chatId], {
  declaration: `getBotState(chatId: number | string): string | null`,
  run: ({ botStates }, chat) => botStates.get(chat),
})
