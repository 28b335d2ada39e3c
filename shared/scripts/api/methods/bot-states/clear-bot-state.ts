import { chatId } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const clearBotState = apiMethod('clearBotState(chat id)', [chatId], {
  declaration: `clearBotState(chatId: number | string): null`,
  run: async ({ botStates }, chat) => {
    await botStates.clear(chat)
    return null
  },
})
