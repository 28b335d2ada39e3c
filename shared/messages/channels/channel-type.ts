import type * as z from 'zod'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { SettingName } from '../../platform/settings/setting-values.ts'

type Config = Readonly<Record<string, unknown>>

/** A type of channel: what its configuration holds, what its messages are, and what its sender needs. */
export interface ChannelTypeDeclaration {
  readonly config: z.ZodObject
  /** The members of the configuration that are sealed. */
  readonly secrets: readonly string[]
  /** The members of the configuration, for the API reference. */
  readonly members: string
  /** What is wrong with a configuration besides the form of its members. */
  readonly check?: (config: never) => FieldErrors | undefined
  /** What its messages are: texts and mails to people, or JSON to a program, which is the channel itself. */
  readonly content: 'text' | 'mail' | 'json'
  /** Where a message goes that is for a user of the tenant. Without one, a message to a user fails. */
  readonly userAddress?: 'mail address' | 'chat'
  /** What deliveries show as their recipient when the channel itself is the receiver. */
  readonly placeOf?: (config: Config) => string
  /** `publish` sends to it. Its name then stands for its default channel there. */
  readonly isPublished?: true
  /** Its channels can be incoming. */
  readonly isIncoming?: true
  /** The settings that make a channel while there is no default one. */
  readonly settings?: SettingsChannel
  /** What its function does, and what the dead letters of its queue are: operators read both. */
  readonly description: string
  readonly deadLetters: string
  /** What the function of its sender may do and read besides (`infra/catalogue`). */
  readonly rights?: readonly SenderRight[]
  readonly environment?: readonly SenderVariable[]
}

export type SenderRight =
  | { readonly on: 'table'; readonly actions: readonly `dynamodb:${string}`[] }
  /** Every verified sender of the account: `shared/platform/mail/ses.ts` decides which a tenant may use. */
  | { readonly on: 'mail-identities'; readonly actions: readonly ('ses:SendEmail' | 'ses:SendRawEmail')[] }
  /** Every stream or event bus of the account: tenants name them in their channels. */
  | { readonly on: 'account-streams'; readonly actions: readonly 'kinesis:PutRecord'[] }
  | { readonly on: 'account-buses'; readonly actions: readonly 'events:PutEvents'[] }
  | { readonly on: 'phone-numbers'; readonly actions: readonly 'sns:Publish'[] }
  /** `names`: patterns of what it may seal or open. */
  | {
      readonly on: 'settings-key'
      readonly names: readonly string[]
      readonly actions: readonly ('kms:Encrypt' | 'kms:Decrypt')[]
    }

/** What says which tenants may use what belongs to the account of the operator, and the base address of links. */
export type SenderVariable =
  | 'PUBLIC_URL'
  | 'APP_MODE'
  | 'SES_DOMAINS'
  | 'SES_CONFIGURATION_SET'
  | 'STREAM_OWNERS'
  | 'EVENT_BUS_OWNERS'
  | 'SMS_TENANTS'

/** A channel that settings of the tenant make. */
interface SettingsChannel {
  readonly name: string
  /** What no setting says. */
  readonly config: Config
  /** The settings by the member that they fill. */
  readonly members: Readonly<Record<string, SettingName>>
  readonly secrets: Readonly<Record<string, SettingName>>
  /** The members and secrets without which there is no channel. */
  readonly required: readonly string[]
}

/** The queues that are not called as their type. */
const queues = { email: 'mails', webhook: 'webhooks', stream: 'streams' } as const
type Queues = typeof queues

export type DeliveryQueue<Type extends string> = Type extends keyof Queues ? Queues[Type] : Type
/** The queue in which deliveries of a type wait, found without the declarations, which functions that wake lack. */
export const deliveryQueueOf = <Type extends string>(type: Type): DeliveryQueue<Type> =>
  (Object.hasOwn(queues, type) ? queues[type as keyof Queues] : type) as DeliveryQueue<Type>
