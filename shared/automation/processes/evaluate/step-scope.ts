import { findUser } from '../../../accounts/people/user.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { flatRecord } from '../../../records/records/hooks/script-records.ts'
import { readLivingRecord } from '../../../records/records/record-item.ts'
import type { FlatRecord } from '../../../scripts/api/record-access.ts'
import type { ScriptUser } from '../../../scripts/script-runtime.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { type Instance, type LastTask, noRecord } from '../rows/instance-row.ts'

/** What conditions and scripts of one step can read besides the variables of the process. */
export interface StepScope {
  record(): Promise<FlatRecord | null>
  /** The record as it was before the change that led to the step; the same as `record` when none did. */
  old(): Promise<FlatRecord | null>
  /** `user` in conditions and scripts. */
  user(): Promise<ScriptUser | null>
  readonly task: LastTask | null
  /** Called after the step wrote records: the next `record` is read again. */
  forgetRecord(): void
}

/**
 * Reads the record and the user on first use, at most once per step. `changed`: earlier values of fields, for `old`.
 */
export function stepScope(
  { store, tables }: Pick<ProcessDependencies, 'store' | 'tables'>,
  tenant: Tenant,
  { model, recordId, lastTask }: Pick<Instance, 'model' | 'recordId' | 'lastTask'>,
  by: PrincipalRef,
  changed: Readonly<Record<string, unknown>> | undefined,
): StepScope {
  let record: Promise<FlatRecord | null> | undefined
  let user: Promise<ScriptUser | null> | undefined

  async function readRecord(): Promise<FlatRecord | null> {
    if (recordId === noRecord) return null
    const [table, item] = await Promise.all([
      tables.find(tenant, model),
      store.get(tenant, recordKey(tenant, model, recordId)),
    ])
    const living = table && readLivingRecord(item, table)
    return living ? flatRecord(table, living) : null
  }

  async function readUser(): Promise<ScriptUser | null> {
    const found = by.userId === 0 ? undefined : await findUser(store, tenant, by.userId)
    return found ? { id: found.id, name: found.name, email: found.email ?? '', roles: found.roles } : null
  }

  const current = () => (record ??= readRecord())
  return {
    record: current,
    async old() {
      const now = await current()
      return now && changed ? { ...now, ...changed } : now
    },
    user: () => (user ??= readUser()),
    task: lastTask,
    forgetRecord() {
      record = undefined
    },
  }
}
