import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { type Approval, useCommentOnApproval, useDecide } from '../../api/portal.ts'
import type { RecordData } from '../../api/records.ts'
import { labelOf, labelsOf } from '../../api/tables.ts'
import { moduleOf } from '../../fields/registry.ts'
import { Moment } from '../../parts/time.tsx'
import { fieldsOfForm, presetsOf } from '../../tasks/form-fields.ts'
import { ItemIcon } from '../item-icon.tsx'
import { PublicState } from '../request-row.tsx'
import { ShownFields } from '../shown-fields.tsx'

interface ApprovalCardProps {
  readonly approval: Approval
  /** Called with the words of the decision. */
  readonly onDecided: (outcome: string) => void
}

/** One decision: what it is about, what the process asks besides, a comment, and a button an outcome. */
export function ApprovalCard({ approval, onDecided }: ApprovalCardProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { id, name, request, outcomes, form } = approval
  const [data, setData] = useState<RecordData>(() => presetsOf(form.filter((one) => !one.readonly)))
  const [comment, setComment] = useState('')
  const say = useCommentOnApproval(id)
  const decide = useDecide(id)
  const errors = fieldErrorsOf(decide.error, labelsOf(fieldsOfForm(form)))
  const isAtFields = form.some((field) => Object.hasOwn(errors, `data.${field.name}`))

  async function choose(outcome: string): Promise<void> {
    const body = comment.trim()
    // A comment that was stored is not sent a second time when the decision is refused.
    if (body !== '' && !(say.isSuccess && say.variables === body)) await say.mutateAsync(body)
    await decide.mutateAsync({ outcome, data })
    onDecided(labelOf({ name: outcome }))
  }
  const error = say.error ?? (isAtFields ? null : decide.error)
  const title = request?.title ?? name ?? ''
  return (
    <article className="portal-card approval" aria-label={title}>
      <ApprovalHead approval={approval} title={title} />
      {request && <ShownFields fields={request.fields} />}
      {fieldsOfForm(form).map((field) => {
        const { Edit } = moduleOf(field)
        return (
          Edit &&
          !field.readonly && (
            <Edit
              key={field.name}
              field={field}
              value={data[field.name]}
              onChange={(value) => setData((before) => ({ ...before, [field.name]: value }))}
              label={labelOf(field)}
              required={field.required}
              error={errors[`data.${field.name}`]}
            />
          )
        )
      })}
      {request && (
        <Textarea
          label={t('portal.comment')}
          autosize
          minRows={2}
          maxRows={8}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className="portal-actions">
        {outcomes.map((outcome, index) => (
          <Button
            key={outcome}
            variant={index === 0 ? 'filled' : 'default'}
            disabled={say.isPending || decide.isPending}
            loading={decide.isPending && decide.variables.outcome === outcome}
            // What failed is shown above the buttons.
            onClick={() => void choose(outcome).catch(() => undefined)}
          >
            {labelOf({ name: outcome })}
          </Button>
        ))}
      </div>
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
