import type { RowAccess } from '../../accounts/access/row-access.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { OpenConditions } from '../../lists/query/conditions/open-conditions.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Files } from '../../tables/files/service.ts'
import type { OrgTree } from '../../tables/org-units/org-tree.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { RecordLinks } from '../relations/links/record-links.ts'
import type { Actor } from './actor.ts'
import type { Hooks } from './hooks/hooked-operation.ts'

/** What every operation on records needs. */
export interface RecordDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  /** Checks the files of a record and writes their claims and releases. */
  readonly files: Pick<Files, 'check' | 'writes' | 'cleanUp'>
  /** A delete also takes the record's links away, and its return brings them back. */
  readonly links: RecordLinks
  /** Its comments and watchers. Passed in, because the slice `comments` is above this one. */
  readonly discussions: RecordDiscussions
  /** The processes about a record that have not ended: a delete cancels them. Passed in, because `processes` is above, too. */
  readonly processesOf: (tenant: Tenant, record: { readonly model: string; readonly id: number }) => Promise<number[]>
  /** Finds the records that refer to one that is deleted. */
  readonly referencesTo: ReferencesTo
  /** Which records an actor's row rules permit. */
  readonly access: RowAccess
  /** Tests the conditions of fields, and gives defaults their moment and user. */
  readonly conditions: OpenConditions
  /** Keeps the organisational units a tree. */
  readonly orgTree: Pick<OrgTree, 'requireRoom' | 'move' | 'leave' | 'grow'>
  /** The hooks of the tables. */
  readonly hooks: Hooks
  /** Passed in, because the slice `processes` is above this one. */
  readonly startProcess: StartProcess
  /** As `startProcess`. */
  readonly sendProcessMessage: SendProcessMessage
}

/** The comments and watchers of one record, as its delete and its return need them. */
export interface RecordDiscussions {
  /**
   * Removes the comments and watchers of a record that was deleted at `deletedAt`, for good. Answers false when `timeIsUp`
   * answered true before the last was removed.
   */
  remove(
    tenant: Tenant,
    record: { readonly model: string; readonly id: number; readonly deletedAt?: string },
    timeIsUp: () => boolean,
  ): Promise<boolean>
  count(tenant: Tenant, model: string, id: number): Promise<CountedDiscussion>
}

export interface CountedDiscussion {
  readonly comments: number
  readonly internalComments: number
  /** People who were added as watchers. */
  readonly watchers: number
}

/**
 * Starts a process for a record and answers the instance's id. Idempotent: the same `startKey` answers the same
 * instance.
 */
export type StartProcess = (actor: Actor, code: string, model: string, id: number, startKey: string) => Promise<number>

/**
 * Sends a message to the processes that wait for it, and answers how many received it. Idempotent: the same `sendKey`
 * delivers once.
 */
export type SendProcessMessage = (
  actor: Actor,
  message: {
    readonly name: string
    readonly key: string | undefined
    readonly variables: Readonly<Record<string, unknown>>
  },
  sendKey: string,
) => Promise<number>

/**
 * The ids, rising, of records of a table whose field refers to the record `id`: up to `limit`. They come from the column
 * index, in step with what has just changed, and may still lag.
 */
export type ReferencesTo = (
  tenant: Tenant,
  table: Table,
  field: string,
  id: number,
  limit: number,
) => Promise<readonly number[]>
