import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../api/client.ts'
import { failureOf, useMessageOf } from '../api/failures.ts'
import { type Form, formQuery } from '../api/form.ts'
import { type RecordData, useCreateRecord } from '../api/records.ts'
import { labelOf, labelsOf, type Table, tableQuery } from '../api/tables.ts'
import { EditFields } from '../fields/edit-fields.tsx'
import { errorsByField, fieldsToFill, isElsewhere } from '../fields/form-values.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { useDraft } from '../parts/drafts.ts'
import { NotSent } from '../parts/not-sent.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

/** What was filled in, and under which key it is sent. */
interface Begun {
  readonly data: RecordData
  readonly key: string
}

/** A new record of any table. */
export function NewRecordView() {
  const { model } = useParams({ from: '/frame/e/$model/new' })
  const { data: table } = useSuspenseQuery(tableQuery(model))
  const asked = useQuery(formQuery(model))
  const { data: form, refetch } = asked
  const failure = failureOf(asked)
  if (form) return <NewRecord key={model} table={table} form={form} />
  return <div className="screen">{failure ? <Failed error={failure} retry={refetch} /> : <Loading lines={8} />}</div>
}

function NewRecord({ table, form }: { readonly table: Table; readonly form: Form }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  // What is sent again after a lost answer makes one record, also when the page was opened anew; what was corrected is
  // another request.
  const { draft, isKept, change, clear } = useDraft<Begun>(`new ${table.name}`, { data: {}, key: '' })
  const data = { ...form.data, ...draft.data }
  const create = useCreateRecord(table.name)
  const fields = fieldsToFill(form.fields)

  function save(event?: FormEvent): void {
    event?.preventDefault()
    if (create.isPending) return
    const key = draft.key || crypto.randomUUID()
    if (draft.key === '') change({ key })
    create.mutate(
      { data, key },
      {
        onSuccess: ({ id }) => {
          clear()
          void navigate({ to: '/e/$model/$id', params: { model: table.name, id: String(id) } })
        },
      },
    )
  }
  useKeys([{ keys: 'mod+enter', label: t('record.create'), run: () => save(), inFields: true }])
  const title = t('record.newTitle', { table: labelOf(table) })
  return (
    <div className="screen">
      <Title>{title}</Title>
      <h1>{title}</h1>
      {isKept && !create.isPending && (
        <p className="record-notice" role="status">
          {t('unsent.keptNew')}
          <Button size="compact-sm" variant="default" onClick={clear}>
            {t('unsent.beginAnew')}
          </Button>
        </p>
      )}
      <form className="new-record" onSubmit={save} noValidate>
        <EditFields
          fields={fields}
          data={data}
          errors={errorsByField(create.error, form.fields)}
          isFocused
          onChange={(name, value) => change({ data: { ...draft.data, [name]: value }, key: crypto.randomUUID() })}
        />
        <NotSent error={create.error} onSend={save} />
        {isElsewhere(create.error, fields) && !(create.error instanceof Unreachable) && (
          <p className="problem" role="alert">
            {messageOf(create.error, labelsOf(form.fields))}
          </p>
        )}
        <div className="form-actions">
          <Button type="submit" loading={create.isPending}>
            {t('record.create')}
          </Button>
          <Button variant="default" component={Link} to="/e/$model" params={{ model: table.name } as never}>
            {t('parts.cancel')}
          </Button>
        </div>
      </form>
    </div>
  )
}
