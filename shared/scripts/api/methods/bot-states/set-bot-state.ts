import * as z from 'zod'
import { chatId } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const setBotState = apiMethod('setBotState(chat id, state)', [chatId, z.string()], {
  declaration: `/** Kept for one hour, written at once. */
  setBotState(chatId: number | string, state: string): null`,
  run: async ({ botStates }, chat, state) => {
    await botStates.set(chat, state)
    return null
  },
})
