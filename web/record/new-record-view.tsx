import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { type Form, formQuery } from '../api/form.ts'
import { type RecordData, useCreateRecord } from '../api/records.ts'
import { labelOf, type Table, tableQuery } from '../api/tables.ts'
import { EditFields, fieldsToFill } from '../fields/edit-fields.tsx'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

/** A new record of any table. */
export function NewRecordView() {
  const { model } = useParams({ from: '/frame/e/$model/new' })
  const { data: table } = useSuspenseQuery(tableQuery(model))
  const { data: form } = useQuery(formQuery(model))
  return form ? <NewRecord key={model} table={table} form={form} /> : <Loading lines={8} />
}

function NewRecord({ table, form }: { readonly table: Table; readonly form: Form }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const [data, setData] = useState<RecordData>(form.data)
  // What is sent again after a lost answer makes one record; what was corrected is another request.
  const key = useMemo(() => crypto.randomUUID(), [data])
  const create = useCreateRecord(table.name)
  const errors = fieldErrorsOf(create.error)
  const fields = fieldsToFill(form.fields)
  const isElsewhere = create.error && !fields.some(({ name }) => Object.hasOwn(errors, name))

  function save(event?: FormEvent): void {
    event?.preventDefault()
    if (create.isPending) return
    create.mutate(
      { data, key },
      { onSuccess: ({ id }) => void navigate({ to: '/e/$model/$id', params: { model: table.name, id: String(id) } }) },
    )
  }
  useKeys([{ keys: 'mod+enter', label: t('record.create'), run: () => save(), inFields: true }])
  const title = t('record.newTitle', { table: labelOf(table) })
  return (
    <div className="screen">
      <Title>{title}</Title>
      <h1>{title}</h1>
      <form className="new-record" onSubmit={save} noValidate>
        <EditFields
          fields={fields}
          data={data}
          errors={errors}
          onChange={(name, value) => setData((before) => ({ ...before, [name]: value }))}
        />
        {isElsewhere && (
          <p className="problem" role="alert">
            {messageOf(create.error)}
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
