import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Channel } from '../../channels/channel.ts'
import type { channelOpener } from '../../channels/config/channel-secrets.ts'
import { botApiLimits, type CallBot } from '../bot-api.ts'

/** Asks the Bot API whether it knows the bot of an incoming channel, which sends no test message. */
export async function checkBot(
  { openChannel, callBot }: { readonly openChannel: ReturnType<typeof channelOpener>; readonly callBot: CallBot },
  tenant: Tenant,
  channel: Channel,
): Promise<{ ok: boolean; code?: string; error?: string }> {
  const { config: bot } = await openChannel<'messenger'>(tenant, channel)
  try {
    const { isOk, status, description } = await callBot(bot, 'getMe', {})
    if (isOk) return { ok: true, code: String(status) }
    const said = description === '' ? '' : `: ${description}`
    return {
      ok: false,
      code: String(status),
      error: `The Bot API does not know the bot (${status})${said}. Enter the current token of BotFather in config.bot_token, and check config.api_base.`,
    }
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).name
    return {
      ok: false,
      error: `The Bot API was not reached (${reason}, within ${botApiLimits.timeoutMs / 1000} s). Check config.api_base.`,
    }
  }
}
