import { Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { isMissing, useMessageOf } from '../api/failures.ts'
import { decideByMail, decisionQuery, type LinkedDecision } from '../api/links.ts'
import type { RecordData } from '../api/records.ts'
import { labelOf } from '../api/tables.ts'
import { ShownFields } from '../fields/shown-fields.tsx'
import { Moment } from '../parts/time.tsx'
import { TaskForm } from '../tasks/task-form.tsx'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkState } from './link-state.tsx'

/** What a form may ask for here; more of it is done in the app. */
const maxAsked = 4
/** These choose among what only somebody who is signed in may look through. */
const needSession: ReadonlySet<string> = new Set(['company', 'file', 'image', 'model_list', 'org_unit', 'user'])

/** What a button of a mail opens: it asks once more, so that programs that look at links decide nothing. */
export function DecideView() {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { token } = useParams({ from: '/decide/$token' })
  const { outcome } = useSearch({ from: '/decide/$token' })
  const { data, error, refetch } = useQuery(decisionQuery(token))
  if (isMissing(error)) return <LinkOutcome title={t('links.decideGoneTitle')} text={t('links.decideGone')} />
  // Somebody was faster, or it waits for somebody else.
  if (error instanceof ApiError && [403, 409].includes(error.status))
    return <LinkOutcome title={t('links.decideGoneTitle')} text={messageOf(error)} />
  if (!data) return <LinkState error={error} retry={refetch} />
  return <Decide key={token} token={token} decision={data} wanted={outcome} />
}

interface DecideProps {
  readonly token: string
  readonly decision: LinkedDecision
  /** The outcome of the button that was pressed. */
  readonly wanted: string | undefined
}

function Decide({ token, decision, wanted }: DecideProps) {
  const { t } = useTranslation()
  const [comment, setComment] = useState('')
  const { company, person, name, request, record, due_at: dueAt, url, form, outcomes } = decision
  const asked = form.filter(({ required, readonly }) => required && !readonly)
  const isHere =
    !decision.is_sign_in_needed && asked.length <= maxAsked && !asked.some(({ type }) => needSession.has(type))
  const deciding = useMutation({
    mutationFn: (given: { readonly outcome: string; readonly data: RecordData }) =>
      decideByMail(token, {
        outcome: given.outcome,
        ...(Object.keys(given.data).length > 0 && { data: given.data }),
        ...(comment.trim() !== '' && { comment }),
      }),
  })
  if (deciding.isSuccess)
    return (
      <LinkOutcome
        title={t('links.decideDoneTitle')}
        text={t('links.decideDone', { outcome: labelOf({ name: deciding.variables.outcome }) })}
      />
    )
  const what =
    record &&
    (record.title === null ? `${record.label} ${record.number}` : `${record.label} ${record.number}: ${record.title}`)
  return (
    <LinkCard title={name ?? request?.title ?? what ?? company}>
      {(request || what) && <p>{request?.title ?? what}</p>}
      <p className="quiet small">
        {request && `${t('portal.askedBy', { name: request.requester.name })} · `}
        <Moment at={decision.created_at} short />
        {dueAt && (
          <>
            {' · '}
            {t('portal.due')} <Moment at={dueAt} />
          </>
        )}
      </p>
      {request && <ShownFields fields={request.fields} />}
      <p className="quiet">
        {t('links.decideAs', { person, company })}{' '}
        {decision.is_sign_in_needed
          ? t('links.decideSignIn')
          : isHere
            ? t('links.decideSure')
            : t('links.decideTooLong')}
      </p>
      {isHere && (
        <TaskForm
          isLarge
          task={{
            id: decision.id,
            form: asked,
            // What was pressed in the mail comes first.
            outcomes: outcomes.toSorted((one, other) => Number(other === wanted) - Number(one === wanted)),
          }}
          record={Object.fromEntries(request?.fields.map((field) => [field.name, field.value]) ?? [])}
          onComplete={(outcome = '', data) => deciding.mutateAsync({ outcome, data })}
        >
          {decision.may_comment && (
            <Textarea
              label={t(request ? 'portal.comment' : 'links.decideComment')}
              autosize
              minRows={2}
              maxRows={8}
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
            />
          )}
        </TaskForm>
      )}
      <a href={url}>{t('links.decideOpen')}</a>
    </LinkCard>
  )
}
