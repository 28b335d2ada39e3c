import type { Tenant } from '../../kernel/tenancy.ts'
import { notSaidRow, saidRow, type SaidRow } from '../../lists/columns/said-row.ts'
import type { ChangeEvent } from '../../platform/queue/change-feed/change-event.ts'
import { commentKey } from '../../platform/store/keys/comments.ts'
import type { Store } from '../../platform/store/store.ts'
import { readComment } from './rows/comment-row.ts'

type SaidComment = Extract<ChangeEvent['said'], { readonly comment: number }>

/** What the index of what was said holds of comments, in their order. One that moved meanwhile has an event of its own. */
export async function saidComments(
  { getMany }: Pick<Store, 'getMany'>,
  tenant: Tenant,
  comments: readonly { readonly said: SaidComment; readonly version: number }[],
): Promise<SaidRow[]> {
  const items = await getMany(
    tenant,
    comments.map(({ said }) =>
      commentKey(tenant, said.model, said.record_id, { id: said.comment, isInternal: said.is_internal }),
    ),
  )
  return comments.map(({ said, version }, index) => {
    const item = items[index]
    if (!item) return notSaidRow('comment', said.comment, version)
    const { id, model, recordId, isInternal, from, body, version: current } = readComment(item)
    return saidRow({
      kind: 'comment',
      id,
      version: current,
      about: [{ model, id: recordId }],
      isInternal,
      who: [from?.name, from?.email],
      text: body,
    })
  })
}
