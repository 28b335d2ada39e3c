import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../api/client.ts'
import { useMessageOf } from '../../api/failures.ts'
import { type ItemForm as Form, useSendRequest } from '../../api/portal.ts'
import type { RecordData } from '../../api/records.ts'
import { labelsOf } from '../../api/tables.ts'
import { EditFields } from '../../fields/edit-fields.tsx'
import { followConditions } from '../../fields/follow-conditions.ts'
import { errorsByField, fieldsToFill, isElsewhere, valuesToSend } from '../../fields/form-values.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { NotSent } from '../../parts/not-sent.tsx'
import { FilesField } from '../files-field.tsx'
import { ArticlesFor } from './articles-for.tsx'

interface ItemFormProps {
  readonly id: number
  readonly form: Form
}

const empty: { readonly data: RecordData; readonly files: readonly string[] } = { data: {}, files: [] }

/** Asks for an item. What is typed stays until it is sent, also when the screen is left. */
export function ItemForm({ id, form }: ItemFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const element = useRef<HTMLFormElement>(null)
  const { draft, isKept, change, clear } = useDraft(`item ${id}`, empty)
  const data = { ...form.data, ...draft.data }
  const send = useSendRequest()
  useEffect(() => {
    if (send.error) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [send.error])
  /** What was changed since the service refused: its errors are about what was there before. */
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const correct = (name: string, changes: Partial<typeof empty>): void => {
    setCorrected([...corrected, name])
    change(changes)
  }
  const fields = fieldsToFill(followConditions(form.fields, data, form.data))
  const shown = [...fields, { name: 'files' }]
  const refused = errorsByField(send.error, form.fields)
  const errors = Object.fromEntries(Object.entries(refused).filter(([name]) => !corrected.includes(name)))
  const isAtFields = send.error !== null && !isElsewhere(send.error, shown)
  const isCorrected = isAtFields && !shown.some(({ name }) => Object.hasOwn(errors, name))
  const titleField = fields.find(({ name, type }) => name === 'title' && type === 'text') ?? fields[0]

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    if (send.isPending) return
    setCorrected([])
    send.mutate(
      { item: id, data: valuesToSend(fields, data, form.data), files: draft.files },
      {
        onSuccess({ data: request }) {
          clear()
          void navigate({ to: '/portal/requests/$id', params: { id: String(request.id) }, search: { sent: true } })
        },
      },
    )
  }
  useKeys([{ keys: 'mod+enter', label: t('portal.send'), run: () => submit(), inFields: true }])
  return (
    <form ref={element} className="portal-form" onSubmit={submit} noValidate>
      {isKept && (
        <p className="portal-aside" role="status">
          {t('portal.draftKept')}{' '}
          <button type="button" className="link" onClick={clear}>
            {t('portal.discardDraft')}
          </button>
        </p>
      )}
      <EditFields
        fields={fields}
        data={data}
        errors={errors}
        onChange={(name, value) => correct(name, { data: { ...draft.data, [name]: value } })}
        after={(field) => field === titleField && <ArticlesFor text={String(data[field.name] ?? '')} />}
      />
      <FilesField paths={draft.files} error={errors['files']} onChange={(files) => correct('files', { files })} />
      <div className="portal-send">
        <NotSent error={send.error} onSend={submit} />
        {send.error && !isCorrected && !(send.error instanceof Unreachable) && (
          <p className="problem" role="alert">
            {isAtFields ? t('portal.correct') : messageOf(send.error, labelsOf(form.fields))}
          </p>
        )}
        <Button type="submit" loading={send.isPending}>
          {t('portal.send')}
        </Button>
      </div>
    </form>
  )
}
