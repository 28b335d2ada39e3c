import * as z from 'zod'
import { type channelOpener, resolveChannel } from '../channels/service.ts'
import type { Clock } from '../kernel/clock.ts'
import { mayFail } from '../kernel/log.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import type { CallBot } from './bot-api.ts'

const keptMs = 60 * 60_000
const maxKept = 1000

const Me = z.object({ username: z.string().regex(/^\w{3,64}$/) })

/** Finds the name of the bot that a tenant sends through by default. */
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
  const known = new Map<string, { readonly name: string; readonly untilMs: number }>()

  async function nameOf(bot: Parameters<CallBot>[0]): Promise<string | undefined> {
    const key = `${bot.api_base ?? ''} ${bot.bot_token}`
    const kept = known.get(key)
    if (kept && kept.untilMs > clock.now()) return kept.name
    const { result } = await callBot(bot, 'getMe', {})
    const name = Me.safeParse(result).data?.username
    if (name === undefined) return undefined
    if (known.size >= maxKept) known.clear()
    known.set(key, { name, untilMs: clock.now() + keptMs })
    return name
  }

  /** Undefined without such a bot, and when the Bot API does not answer. A name is kept for an hour. */
  return async (tenant: Tenant): Promise<string | undefined> => {
    const resolved = await resolveChannel({ config }, tenant, ['messenger'], null)
    if ('problem' in resolved) return undefined
    let name: string | undefined
    await mayFail('ask for the name of a bot', async () => {
      const { config: bot } = await openChannel<'messenger'>(tenant, resolved.channel)
      name = await nameOf(bot)
    })
    return name
  }
}
