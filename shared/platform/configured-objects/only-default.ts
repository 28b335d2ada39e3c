import { Conflict } from '../../kernel/failures/faults.ts'
import type { ObjectKind } from '../../kernel/object-kinds.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Config, type ConfigRow, putConfigRow, type RowTimes } from '../store/config.ts'
import { idText, type Key } from '../store/keys/key.ts'
import { objectRow } from '../store/rows/object-row.ts'
import { readHolder, uniqueItem } from '../store/rows/unique-row.ts'
import type { Store } from '../store/store.ts'
import type { Step } from '../store/writes/commit.ts'
import { equals, isNew } from '../store/writes/conditions.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get'>
  readonly config: Pick<Config, 'getFresh'>
}

/** An object of which one at most is the default. */
interface MayBeDefault extends RowTimes {
  readonly id: number
  readonly isDefault: boolean
  readonly version: number
}

/**
 * Keeps one object of a kind the default, or one of those that share a key. A guard row names it, so that of two requests at
 * the same time one fails with a Conflict; the earlier default is changed in the same transaction.
 */
export function onlyDefault<T extends MayBeDefault>({
  kind,
  keyOf,
  read,
  overtaken,
}: {
  readonly kind: ObjectKind
  readonly keyOf: (tenant: TenantRef, one: T) => Key
  readonly read: (row: ConfigRow) => T
  /** What a change says that another one overtook. */
  readonly overtaken: string
}) {
  const refused = (): Conflict => new Conflict('write_conflict', overtaken)

  async function take(
    { store, config }: Dependencies,
    tenant: TenantRef,
    after: T,
    audit: { readonly userId: number; readonly at: string },
  ): Promise<Step[]> {
    const key = keyOf(tenant, after)
    const guard = await store.get(tenant, key)
    const holder = guard && readHolder(guard)
    const isFree = holder === undefined
    const step: Step = {
      write: { put: uniqueItem(key, after.id), if: isFree ? isNew : equals('id', holder) },
      refused,
    }
    if (isFree || holder === after.id) return [step]
    const row = await config.getFresh(tenant, kind, idText(holder))
    if (!row) throw refused()
    const former = read(row)
    const changed: T = { ...former, isDefault: false, version: former.version + 1 }
    return [step, { write: putConfigRow(tenant, kind, objectRow(changed), former.version, audit), refused }]
  }

  /** What is written besides with a change (`before`, `after`), for `alsoWrite` of a configured object. */
  return async (
    services: Dependencies,
    { tenant, userId }: { readonly tenant: TenantRef; readonly userId: number },
    before: T | undefined,
    after: T | undefined,
  ): Promise<Step[]> => {
    if (after?.isDefault && !before?.isDefault)
      return take(services, tenant, after, { userId, at: after.updatedAt as string })
    if (!before?.isDefault || after?.isDefault) return []
    return [{ write: { remove: keyOf(tenant, before), if: equals('id', before.id) }, refused }]
  }
}
