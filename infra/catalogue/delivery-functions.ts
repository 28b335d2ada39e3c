import { type ChannelType, channelTypeOf, channelTypes } from '../../shared/messages/channels/schema.ts'
import { background } from './background.ts'
import type { FunctionEntry, Grant } from './deployed-function.ts'
import { readContents, readFiles, readMessages, readSlots } from './grants.ts'

/** The function that makes the attempts of a type of channel. */
function sender(type: ChannelType): FunctionEntry {
  const { description, settings, rights = [], environment = [] } = channelTypeOf(type)
  return background(`delivery-${type}`, description, {
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      readSlots,
      readContents,
      // Replies leave with their files, and quote the mail that they answer.
      ...(channelTypeOf(type).content === 'mail' ? [readFiles, readMessages] : []),
      {
        on: 'settings-key',
        names: ['channel.*', ...Object.values(settings?.secrets ?? {})],
        actions: ['kms:Decrypt'],
      },
      ...rights,
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SETTINGS_KEY_ARN', 'PUBLIC_URL', 'APP_URL', ...environment],
  })
}

/** Operators see webhooks and mails first. */
const isFirst = (type: ChannelType): number => Number(type === 'webhook') * 2 + Number(type === 'email')

/** The functions that make the attempts of deliveries, one for each type of channel. */
export const deliveryFunctions: readonly FunctionEntry[] = channelTypes
  .toSorted((one, other) => isFirst(other) - isFirst(one))
  .map(sender)

/** For the function that tests channels: what every sender may do beyond the table. */
export const senderRights: readonly Grant[] = channelTypes.flatMap((type) =>
  (channelTypeOf(type).rights ?? []).filter(({ on }) => on !== 'table'),
)
export const senderVariables = [...new Set(channelTypes.flatMap((type) => channelTypeOf(type).environment ?? []))]
