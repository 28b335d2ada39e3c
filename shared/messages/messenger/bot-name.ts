import * as z from 'zod'
import { lruMap } from '../../kernel/collections/lru-map.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Config } from '../../platform/store/config.ts'
import { type Channel, channelOf } from '../channels/channel.ts'
import { type channelOpener, lackingSecrets } from '../channels/config/channel-secrets.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import type { CallBot } from './bot-api.ts'
import { botIdOf } from './incoming/bot-secret.ts'

const keptMs = 60 * 60_000
const maxKept = 1000

const Me = z.object({ username: z.string().regex(/^\w{3,64}$/) })

/**
 * Finds the name of the bot that links chats: the one that the tenant sends through by default, unless only others
 * receive messages.
 */
export function botNames({
  config,
  clock,
  openChannel,
  callBot,
}: {
  readonly config: Pick<Config, 'list'>
  readonly clock: Pick<Clock, 'now'>
  readonly openChannel: ReturnType<typeof channelOpener>
  readonly callBot: CallBot
}) {
  const known = lruMap<string, { readonly name: string; readonly untilMs: number }>(maxKept)

  async function nameOf(bot: Parameters<CallBot>[0]): Promise<string | undefined> {
    const key = `${bot.api_base ?? ''} ${bot.bot_token}`
    const kept = known.get(key)
    if (kept && kept.untilMs > clock.now()) return kept.name
    const { result } = await callBot(bot, 'getMe', {})
    const name = Me.safeParse(result).data?.username
    if (name === undefined) return undefined
    known.set(key, { name, untilMs: clock.now() + keptMs })
    return name
  }

  /** Undefined without such a bot, and when the Bot API does not answer. A name is kept for an hour. */
  return async (tenant: Tenant): Promise<string | undefined> => {
    const resolved = await resolveChannel({ config }, tenant, ['messenger'], null)
    const sending = 'channel' in resolved ? [resolved.channel] : []
    const receiving = (await config.list(tenant, 'CHANNEL', channelOf)).filter(receives)
    return mayFail('ask for the name of a bot', async () => {
      const open = async (channel: Channel) => (await openChannel<'messenger'>(tenant, channel)).config
      const [[byDefault], others] = [await Promise.all(sending.map(open)), await Promise.all(receiving.map(open))]
      const isAmong = others.some((one) => byDefault && botIdOf(one.bot_token) === botIdOf(byDefault.bot_token))
      const bot = others.length === 0 || isAmong ? byDefault : others[0]
      return bot && nameOf(bot)
    })
  }
}

const receives = (channel: Channel): boolean =>
  channel.direction === 'incoming' && channel.isEnabled && lackingSecrets(channel).length === 0
