import type { Tenant } from '../../kernel/tenancy.ts'
import { type Channel, channelOf } from '../../messages/channels/channel.ts'
import { lackingSecrets } from '../../messages/channels/config/channel-secrets.ts'
import { resolveChannel } from '../../messages/channels/resolve-channel.ts'
import { readMailAddresses } from '../../messages/incoming-messages/mail-addresses.ts'
import { type MessageHead, mailboxOf } from '../../messages/incoming-messages/message.ts'
import { addressesOf, type Mailbox, mailboxesOf } from '../../messages/mailboxes/mailbox.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import type { ReplyDependencies } from './dependencies.ts'

type Services = Pick<ReplyDependencies, 'store' | 'config'>

/** As whom an answer leaves, and through which channel; or why it cannot. */
export type AnswerSender =
  | { readonly channel: Channel; readonly from: string; readonly mailbox?: Mailbox }
  | { readonly problem: string }

/**
 * As whom the answer to a mail leaves: from the address of ours that the mail names first, through the channel of its mailbox;
 * where it names none, as the mailbox at which it arrived. Who wrote no mail gets one from the default mailbox.
 */
export async function answerSender(
  { store, config }: Services,
  tenant: Tenant,
  mail: MessageHead | undefined,
): Promise<AnswerSender> {
  const [boxes, byDefault] = await Promise.all([
    mailboxesOf(config, tenant),
    resolveChannel({ config }, tenant, ['email'], null),
  ])
  const channels = await usableChannels(config, tenant, 'channel' in byDefault ? byDefault.channel : undefined)
  if (mail) {
    const { others, takenAt } = await readMailAddresses(store, tenant, mail)
    for (const named of [...others, ...takenAt]) {
      for (const mailbox of boxes) {
        const own = addressesOf(mailbox).find((address) => isSameMailbox(named, address))
        if (own !== undefined) return throughMailbox(mailbox, own)
      }
      const channel = channels.find(({ config: { from_address: from } }) => from?.toString().toLowerCase() === named)
      if (channel) return fromChannel(channel)
    }
  }
  const mailbox = mail ? boxes.find(({ id }) => id === mailboxOf(mail)) : boxes.find(({ isDefault }) => isDefault)
  if (mailbox) return throughMailbox(mailbox, mailbox.address)
  return 'problem' in byDefault ? byDefault : fromChannel(byDefault.channel)

  async function throughMailbox(box: Mailbox, from: string): Promise<AnswerSender> {
    const own = addressesOf(box)
    const named = channels.find(({ config: { from_address: address } }) => own.includes(String(address).toLowerCase()))
    const resolved =
      box.channelId !== null
        ? await resolveChannel({ config }, tenant, ['email'], box.channelId)
        : named
          ? { channel: named }
          : byDefault
    return 'problem' in resolved ? resolved : { channel: resolved.channel, from, mailbox: box }
  }
}

const fromChannel = (channel: Channel): AnswerSender => ({ channel, from: String(channel.config.from_address) })

/** The channels of mails that something can be sent through, the default one first. */
async function usableChannels(
  config: Services['config'],
  tenant: Tenant,
  byDefault: Channel | undefined,
): Promise<readonly Channel[]> {
  const own = (await config.list(tenant, 'CHANNEL', channelOf)).filter(
    (channel) =>
      channel.type === 'email' &&
      channel.direction === 'outgoing' &&
      channel.isEnabled &&
      channel.id !== byDefault?.id &&
      lackingSecrets(channel).length === 0,
  )
  return byDefault ? [byDefault, ...own] : own
}

/** What follows a `+` leads to the same mailbox. */
function isSameMailbox(named: string, own: string): boolean {
  const known = normalAddress(named)
  return known === normalAddress(own) || known?.replace(/\+[^@]*@/, '@') === normalAddress(own)
}
