import type { TenantRef } from '../kernel/tenancy.ts'
import { messageContentKey } from '../store/keys/incoming.ts'
import { describeMessage } from './describe-message.ts'
import { type ReadingDependencies, withContent } from './find-message.ts'
import type { MessageHead } from './message.ts'
import type { MessageAnswer } from './schema.ts'

/** Objects that are fetched at the same time: each may have several megabytes. */
const fetchedAtOnce = 8

/**
 * Reads what messages say, in their order; undefined for one that is gone. `show` makes of each what is kept of it, so
 * that not all contents are in memory at once.
 */
export async function readContents<Shown>(
  deps: Pick<ReadingDependencies, 'fetchObject'> & { readonly store: Pick<ReadingDependencies['store'], 'getMany'> },
  tenant: TenantRef,
  heads: readonly MessageHead[],
  show: (message: MessageAnswer) => Shown,
): Promise<(Shown | undefined)[]> {
  const contents = await deps.store.getMany(
    tenant,
    heads.map(({ id }) => messageContentKey(tenant, id)),
  )
  const shown: (Shown | undefined)[] = []
  for (let start = 0; start < heads.length; start += fetchedAtOnce) {
    const read = heads.slice(start, start + fetchedAtOnce).map(async (head, index) => {
      const content = contents[start + index]
      return content && show(describeMessage(await withContent(deps, head, content)))
    })
    shown.push(...(await Promise.all(read)))
  }
  return shown
}
