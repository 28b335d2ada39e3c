export { askForLink } from './ask-for-link.ts'
export { botApi, botApiLimits, type BotAnswer, type CallBot } from './bot-api.ts'
export { botNames } from './bot-name.ts'
export { unlinkChat } from './unlink-chat.ts'
export { linkChat, unlinkUser } from './link-chat.ts'
export { changeAnyChannel, removeAnyChannel } from './incoming/change-bot-channel.ts'
export { checkBot } from './incoming/check-bot.ts'
export { receiveUpdate } from './incoming/receive-update.ts'
export { setWebhook } from './incoming/set-webhook.ts'
export { botFileAddresses } from './bot-api.ts'
export { channelOfChat } from './chat-bot.ts'
export { botFileLimits } from './incoming/fetch-file.ts'
export {
  type PreparedMessage,
  prepareMessengerMessage,
  type PreparingDependencies,
} from './incoming/prepare-message.ts'
