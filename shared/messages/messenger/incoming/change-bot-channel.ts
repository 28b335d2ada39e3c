import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { requireUnused } from '../../../tables/tables/administration/require-unused.ts'
import { channelObjects } from '../../channels/administer-channels.ts'
import type { Channel } from '../../channels/channel.ts'
import type { channelOpener } from '../../channels/config/channel-secrets.ts'
import type { ChannelDependencies } from '../../channels/dependencies.ts'
import type { ChannelAnswer, ChannelChange } from '../../channels/schema.ts'
import type { CallBot } from '../bot-api.ts'
import { botIdOf } from './bot-secret.ts'
import { removeRegistration } from './webhook-registration.ts'

interface Dependencies extends ChannelDependencies {
  readonly openChannel: ReturnType<typeof channelOpener>
  readonly callBot: CallBot
}

type Bot = Parameters<CallBot>[0]

/** Changes a channel. An incoming one that gets another bot no longer takes updates of the former one. */
export async function changeAnyChannel(
  services: Dependencies,
  caller: Caller,
  id: number,
  input: ChannelChange,
  ifMatch?: VersionMatch,
): Promise<ChannelAnswer> {
  const before = await channelObjects.require(services, caller.tenant, id)
  const { one: after } = await channelObjects.update(services, caller, id, input, ifMatch)
  const answer = channelObjects.describe(after, null)
  if (after.direction === 'outgoing' || after.sealed.bot_token === before.sealed.bot_token) return answer
  const [old, now] = [await botOf(services, caller.tenant, before), await botOf(services, caller.tenant, after)]
  if (old && now && botIdOf(old.bot_token) === botIdOf(now.bot_token)) return answer
  await removeRegistration(services, caller.tenant, id)
  await deleteWebhook(services, old)
  return answer
}

/** Deletes a channel; calls of the bot of an incoming one are refused from then on. Throws NotFound and Conflict. */
export async function removeAnyChannel(
  services: Dependencies,
  caller: Caller,
  id: number,
  ifMatch?: VersionMatch,
): Promise<void> {
  const before = await channelObjects.require(services, caller.tenant, id)
  // Before anything is removed.
  requireCurrentVersion('channel', before, { ifMatch })
  await requireUnused(services.config, caller.tenant, { kind: 'channel', name: before.name, id })
  const bot = before.direction === 'incoming' ? await botOf(services, caller.tenant, before) : undefined
  // First, so that a crash leaves a channel that can be deleted again.
  if (before.direction === 'incoming') await removeRegistration(services, caller.tenant, id)
  await channelObjects.remove(services, caller, id, ifMatch)
  await deleteWebhook(services, bot)
}

/** The bot of a channel; undefined while it has no token, or one that cannot be opened. */
async function botOf(
  { openChannel }: Pick<Dependencies, 'openChannel'>,
  tenant: TenantRef,
  channel: Channel,
): Promise<Bot | undefined> {
  if (channel.sealed.bot_token === undefined) return undefined
  return mayFail('open the token of a bot', async () => (await openChannel<'messenger'>(tenant, channel)).config)
}

/** Has the Bot API send nothing more. Without it, it would try for a day, and find itself refused. */
async function deleteWebhook({ callBot }: Pick<Dependencies, 'callBot'>, bot: Bot | undefined): Promise<void> {
  if (bot) await mayFail('delete the webhook of a bot', () => callBot(bot, 'deleteWebhook', {}))
}
