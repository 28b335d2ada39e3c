import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { NotModified, Reply } from '../../platform/http/routing/envelope.ts'
import type { Preloaded } from '../../platform/http/routing/implement.ts'
import { columnLogKey } from '../../platform/store/keys/columns.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import { readHead } from './log-head.ts'

/*
 * Whether records of a table changed: the number of the last entry of its log. A request that knows an entry reads the one
 * that would follow it, together with its caller; while there is none, nothing changed.
 */

/** Two folds may remove an entry before it is asked for: then a tag that is older than this tells. */
const trustedMs = 60_000

interface Tag {
  readonly seq: number
  readonly minute: number
}

const minuteOf = (nowMs: number): number => Math.floor(nowMs / trustedMs)
const tagText = ({ id }: TenantRef, { seq, minute }: Tag): string => `"${id}.${seq}.${minute}"`

/** The tag of an earlier answer to this tenant. A proxy may have weakened it. */
function readTag({ id }: TenantRef, header: string | undefined): Tag | undefined {
  const [, tenant, seq, minute] = /^(?:W\/)?"(\d{1,15})\.(\d{1,15})\.(\d{1,10})"$/.exec(header?.trim() ?? '') ?? []
  return tenant !== undefined && Number(tenant) === id ? { seq: Number(seq), minute: Number(minute) } : undefined
}

/** What a request reads that has the tag of an earlier answer. */
export function keysOfRevision(tenant: TenantRef, model: string, ifNoneMatch: string | undefined): readonly Key[] {
  const tag = readTag(tenant, ifNoneMatch)
  return tag ? [columnLogKey(tenant, model, tag.seq + 1)] : []
}

/** The revision of a table; a request that knows it already is answered from what was read with it. */
export async function readRevision(
  { store, clock }: { readonly store: Pick<Store, 'query'>; readonly clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  model: string,
  ifNoneMatch: string | undefined,
  preloaded: Preloaded,
): Promise<Reply<{ revision: number }> | NotModified> {
  const minute = minuteOf(clock.now())
  const tag = readTag(tenant, ifNoneMatch)
  const isFresh = tag !== undefined && minute - tag.minute <= 1 && minute >= tag.minute
  if (isFresh && preloaded.get(columnLogKey(tenant, model, tag.seq + 1)) === null)
    return new NotModified(tagText(tenant, tag))
  const { seq } = await readHead(store, tenant, model)
  return new Reply({ revision: seq }, { etag: tagText(tenant, { seq, minute }) })
}
