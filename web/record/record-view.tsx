import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { failureOf, isMissing } from '../api/failures.ts'
import { useFollowRecord } from '../api/follow-record.ts'
import { withoutChanges } from '../api/form.ts'
import { may, useUser } from '../api/permissions.ts'
import { recordQuery, titleOf } from '../api/records.ts'
import { labelOf, tableQuery } from '../api/tables.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { NotFound } from '../shell/screen-states.tsx'
import { ActivityPanel } from './conversation/activity-panel.tsx'
import { FactsPanel } from './facts-panel.tsx'
import { FieldsPanel } from './fields-panel.tsx'
import { FormFailed } from './form-failed.tsx'
import { PresenceList } from './presence-list.tsx'
import { ProcessesPanel } from './process/processes-panel.tsx'
import { RecordMacros } from './record-macros.tsx'
import { RecordMenu } from './record-menu.tsx'
import { RecordNotices } from './record-notices.tsx'
import { RelatedPanel } from './related-panel.tsx'
import { RelationsPanel } from './relations-panel.tsx'
import { SnoozeButton } from './snooze-button.tsx'
import { StateButtons } from './state-buttons.tsx'
import { TasksPanel } from './tasks-panel.tsx'
import { useForm } from './use-form.ts'
import { useNeighbours } from './use-neighbours.ts'
import { WatchersPanel } from './watchers-panel.tsx'

/** One record of any table: its fields, states, conversation, tasks and relations. */
export function RecordView() {
  const { model, id } = useParams({ from: '/frame/e/$model/$id' })
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number < 1) return <NotFound />
  return <OneRecord key={`${model} ${id}`} model={model} id={number} />
}

function OneRecord({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const user = useUser()
  const { data: table } = useSuspenseQuery(tableQuery(model))
  const asked = useQuery(recordQuery(model, id))
  const { data: record, error, refetch } = asked
  const { form, failure: formFailure, retry: retryForm } = useForm(table, id, record)
  useFollowRecord(model, id, record?.version)
  useNeighbours(model, id)
  const isGone = isMissing(error)
  if (isGone && !record) return <NotFound />
  const failure = failureOf(asked)
  if (failure)
    return (
      <div className="screen">
        <Failed error={failure} retry={refetch} />
      </div>
    )
  if (!record || !form)
    return (
      <div className="screen">
        <Loading lines={10} height={28} />
      </div>
    )
  const title = titleOf(record, table.title_field)
  const isOwn = record.merged_into === undefined
  const mayChange = may(user, 'update', model)
  const shown = isOwn ? form : withoutChanges(form)
  return (
    <article className="record">
      <Title>{`${title} · ${labelOf(table)}`}</Title>
      <header className="record-head">
        <p className="quiet">
          <Link to="/e/$model" params={{ model }}>
            {labelOf(table)}
          </Link>{' '}
          {record.id}
        </p>
        <div className="record-title">
          <h1>{title}</h1>
          <PresenceList model={model} id={id} />
        </div>
        <div className="record-actions">
          <StateButtons table={table} record={record} form={shown} />
          {isOwn && mayChange && <RecordMacros table={table} record={record} />}
          {isOwn && <SnoozeButton model={model} id={id} />}
          <RecordMenu table={table} record={record} />
        </div>
        {isGone && (
          <div className="record-notice" role="alert">
            {t('unsent.gone')}
          </div>
        )}
        {formFailure !== null && <FormFailed retry={retryForm} />}
        <RecordNotices table={table} record={record} mayChange={mayChange} />
      </header>
      <div className="record-body">
        <section className="record-fields" aria-label={t('record.fields')}>
          <FieldsPanel table={table} record={record} form={shown} />
        </section>
        <section className="record-activity" aria-label={t('record.activity')}>
          <ActivityPanel table={table} record={record} />
        </section>
        <aside className="record-side" aria-label={t('record.about')}>
          <TasksPanel model={model} id={id} />
          <RelatedPanel table={table} record={record} />
          <ProcessesPanel model={model} id={id} />
          <RelationsPanel table={table} id={id} />
          {isOwn && <WatchersPanel model={model} id={id} mayChange={mayChange} />}
          <FactsPanel record={record} />
        </aside>
      </div>
    </article>
  )
}
