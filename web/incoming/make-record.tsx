import { Button, Select } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { formQuery } from '../api/form.ts'
import { fieldsOfMessage, type ReceivedMessage, senderQuery, useMakeRecord } from '../api/incoming.ts'
import { useUser } from '../api/permissions.ts'
import type { RecordData } from '../api/records.ts'
import { labelOf, labelsOf, type TableHead, tableQuery } from '../api/tables.ts'
import { EditFields } from '../fields/edit-fields.tsx'
import { errorsByField, fieldsToFill, isElsewhere } from '../fields/form-values.ts'
import { targetOf } from '../fields/types/reference.tsx'
import { useKeys } from '../keyboard/keyboard.tsx'
import { keeperOf, lastChoice, rememberChoice } from '../parts/last-choice.ts'
import { Loading } from '../parts/states.tsx'
import { lastTable } from '../shell/last-table.ts'
import { tellMade } from './tell-made.tsx'

interface MakeRecordProps {
  readonly message: ReceivedMessage
  readonly tables: readonly TableHead[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const remembered = 'incoming-table'

/** A record of a chosen table, filled in from the message. */
export function MakeRecord({ message, tables, onDone, onClose }: MakeRecordProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const messageOf = useMessageOf()
  const keeper = keeperOf(useUser())
  const [model, setModel] = useState(() => {
    const wanted = [lastChoice(keeper, remembered), lastTable(keeper)]
    const found = wanted.find((name) => tables.some((one) => one.name === name))
    return found ?? tables[0]?.name ?? ''
  })
  // Whoever is choosing a table keeps the focus when the form comes.
  const [isChoosing, setChoosing] = useState(false)
  const [typed, setTyped] = useState<RecordData>({})
  const make = useMakeRecord()
  const { data: table } = useQuery(tableQuery(model))
  const { data: form } = useQuery(formQuery(model))
  const isForm = form && table?.name === model
  const fields = isForm ? fieldsToFill(form.fields) : []
  const references = message.from_email ? fields.filter(({ type }) => type === 'model_list') : []
  const senders = useQueries({
    queries: references.map((field) => senderQuery(targetOf(field), message.from_email ?? '')),
  })
  const known = Object.fromEntries(
    references.flatMap(({ name }, at) => (senders[at]?.data ? [[name, senders[at].data]] : [])),
  )
  const data = { ...form?.data, ...known, ...fieldsOfMessage(fields, table?.title_field, message), ...typed }

  function save(event?: FormEvent): void {
    event?.preventDefault()
    if (make.isPending) return
    rememberChoice(keeper, remembered, model)
    make.mutate(
      { message: message.id, model, data },
      {
        onSuccess(record) {
          tellMade(router, t('incoming.made'), t('incoming.openRecord'), model, record.id)
          onClose()
          onDone()
        },
      },
    )
  }
  useKeys([
    { keys: 'mod+enter', label: t('record.create'), run: () => save(), inFields: true },
    { keys: 'escape', label: t('parts.cancel'), run: onClose, inFields: true },
  ])
  return (
    <form className="incoming-panel" aria-label={t('incoming.make')} onSubmit={save} noValidate>
      {tables.length > 1 && (
        <Select
          label={t('incoming.table')}
          data={tables.map((one) => ({ value: one.name, label: labelOf(one) }))}
          value={model}
          allowDeselect={false}
          onFocus={() => setChoosing(true)}
          onChange={(name) => {
            setTyped({})
            make.reset()
            if (name) setModel(name)
          }}
        />
      )}
      {isForm ? (
        <EditFields
          key={model}
          isFocused={!isChoosing}
          fields={fields}
          data={data}
          errors={errorsByField(make.error, fields)}
          onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
        />
      ) : (
        <Loading lines={4} height={36} />
      )}
      {isElsewhere(make.error, fields) && (
        <p className="problem" role="alert">
          {messageOf(make.error, labelsOf(fields))}
        </p>
      )}
      <div className="form-actions">
        <Button type="submit" loading={make.isPending} disabled={!isForm}>
          {t('record.create')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('parts.cancel')}
        </Button>
      </div>
    </form>
  )
}
