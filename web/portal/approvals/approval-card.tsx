import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Approval, useCommentOnApproval, useDecide } from '../../api/portal.ts'
import type { RecordData } from '../../api/records.ts'
import { labelOf } from '../../api/tables.ts'
import { ShownFields } from '../../fields/shown-fields.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { Moment } from '../../parts/time.tsx'
import { TaskForm } from '../../tasks/task-form.tsx'
import { ItemIcon } from '../item-icon.tsx'
import { PublicState } from '../request-row.tsx'

interface ApprovalCardProps {
  readonly approval: Approval
  /** Called with the words of the decision. */
  readonly onDecided: (outcome: string) => void
}

const empty: { readonly comment: string } = { comment: '' }

/** One decision: what it is about, what the process asks besides, a comment, and a button an outcome. */
export function ApprovalCard({ approval, onDecided }: ApprovalCardProps) {
  const { t } = useTranslation()
  const { id, name, request } = approval
  const { draft, change, clear } = useDraft(`comment on task ${id}`, empty)
  const say = useCommentOnApproval(id)
  const decide = useDecide(id)

  async function choose(outcome: string, data: RecordData): Promise<void> {
    const comment = draft.comment.trim()
    // A comment that was stored is not sent a second time when the decision is refused.
    if (comment !== '' && !(say.isSuccess && say.variables === comment)) await say.mutateAsync(comment)
    await decide.mutateAsync({ outcome, data })
    clear()
    onDecided(labelOf({ name: outcome }))
  }
  const title = request?.title ?? name ?? ''
  return (
    <article className="portal-card approval" aria-label={title}>
      <ApprovalHead approval={approval} title={title} />
      {request && <ShownFields fields={request.fields} />}
      <TaskForm
        isLarge
        task={approval}
        record={Object.fromEntries(request?.fields.map((field) => [field.name, field.value]) ?? [])}
        onComplete={(outcome = '', data) => choose(outcome, data)}
      >
        {request && (
          <Textarea
            label={t('portal.comment')}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.comment}
            onChange={(event) => change({ comment: event.currentTarget.value })}
          />
        )}
      </TaskForm>
    </article>
  )
}

function ApprovalHead({ approval, title }: { readonly approval: Approval; readonly title: string }) {
  const { t } = useTranslation()
  const { name, request, due_at: dueAt, is_claimed: isClaimed, created_at: createdAt } = approval
  return (
    <header className="item-head">
      <ItemIcon name={request?.item?.icon} />
      <div>
        <h2>{title}</h2>
        {name && name !== title && <p>{name}</p>}
        <p className="quiet small">
          {request && `${t('portal.askedBy', { name: request.requester.name })} · `}
          <Moment at={createdAt} short />
          {dueAt && (
            <>
              {' · '}
              {t('portal.due')} <Moment at={dueAt} />
            </>
          )}
          {!isClaimed && ` · ${t('portal.offered')}`}
        </p>
        {request?.state && <PublicState state={request.state} isClosed={false} />}
      </div>
    </header>
  )
}
