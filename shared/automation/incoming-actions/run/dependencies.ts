import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { IncomingMessage, MessageHead } from '../../../messages/incoming-messages/message.ts'
import type { MessageObjects } from '../../../messages/incoming-messages/rows/content-row.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import type { CommentDependencies } from '../../../records/comments/dependencies.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import type { HookContext } from '../../../records/records/hooks/run-hook.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'

/** What a rule tells a process, with the values of a message. */
export interface ToldProcess {
  readonly name: string
  readonly key: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** What running rules needs. */
export interface RuleDependencies extends MessageObjects {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Tables
  readonly records: RecordDependencies
  readonly comments: CommentDependencies
  /** Imports the script sandbox and its access to records, on first use. */
  readonly openScripts: () => Promise<HookContext>
  readonly timeZone: (tenant: Tenant) => Promise<string>
  /** The write that sends a message to processes. Of several with the same `id` one is delivered. */
  readonly tellProcess: (tenant: TenantRef, message: ToldProcess & { readonly id: string }, by: PrincipalRef) => Write
}

/**
 * What rules get of a message: complete, with who is proved to have sent it; `done`: there is nothing for them.
 */
type PreparedMessage =
  | { readonly kind: 'ready'; readonly message: IncomingMessage; readonly userId?: number }
  | { readonly kind: 'done' }

/** What the consumer of messages needs besides. */
export interface ProcessingDependencies extends RuleDependencies {
  /** Has the consumer take a message again. */
  readonly continueLater: (tenant: TenantRef, message: MessageHead) => Promise<void>
  /** What the channel of a message demands before its rules run, such as fetching files. */
  readonly prepare: (tenant: Tenant, message: IncomingMessage) => Promise<PreparedMessage>
}
