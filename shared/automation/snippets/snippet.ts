import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { RowTimes } from '../../platform/store/config.ts'

/** A text that people insert into what they write. */
export interface Snippet extends RowTimes {
  readonly id: number
  readonly name: string
  readonly body: string
  /** The table whose records it is for; null: all. */
  readonly model: string | null
  /** The roles that it is for; null: all. */
  readonly roles: readonly string[] | null
  readonly version: number
}

/** Whether somebody writes answers or notes about records of a table. */
const writesAbout = (caller: Caller, model: string): boolean =>
  mayOnTable(caller, model, 'read') &&
  (mayOnTable(caller, model, 'update') || mayOnTable(caller, model, 'comment_internal'))

/**
 * Whether somebody may insert a snippet, and therefore see it: with one of its roles, and where they write about records of
 * its table, or for all tables of any of `models`. What is written for answers is not for those who only ask.
 */
export const mayInsert = (
  caller: Caller,
  { model, roles }: Pick<Snippet, 'model' | 'roles'>,
  models: readonly string[],
): boolean =>
  caller.isAdministrator ||
  ((!roles?.length || roles.some((role) => caller.roles.includes(role))) &&
    (model === null ? models : [model]).some((one) => writesAbout(caller, one)))
