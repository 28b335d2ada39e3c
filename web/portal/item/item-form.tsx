import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../api/client.ts'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { type ItemForm as Form, useSendRequest } from '../../api/portal.ts'
import type { RecordData } from '../../api/records.ts'
import { labelsOf } from '../../api/tables.ts'
import { followConditions } from '../../fields/follow-conditions.ts'
import { moduleOf } from '../../fields/registry.ts'
import { useFieldLabel } from '../../fields/use-field-label.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { NotSent } from '../../parts/not-sent.tsx'
import { useDraft } from '../../parts/use-draft.ts'
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
  const labelOf = useFieldLabel()
  const element = useRef<HTMLFormElement>(null)
  const { draft, isKept, change, clear } = useDraft(`item ${id}`, empty)
  const data = { ...form.data, ...draft.data }
  // What is sent again after a lost answer makes one request; what was corrected is another one.
  const key = useMemo(() => crypto.randomUUID(), [draft])
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
  const fields = followConditions(form.fields, data, form.data).filter(
    (field) => field.type !== 'state_model' && !field.readonly && moduleOf(field).Edit,
  )
  const errors = errorsByField(fieldErrorsOf(send.error, labelsOf(form.fields)), corrected)
  const known = new Set([...fields.map(({ name }) => name), 'files'])
  const isAtFields = [...errorsByField(fieldErrorsOf(send.error, labelsOf(form.fields))).keys()].some((name) =>
    known.has(name),
  )
  const isCorrected = isAtFields && ![...errors.keys()].some((name) => known.has(name))
  const titleField = fields.find(({ name, type }) => name === 'title' && type === 'text') ?? fields[0]

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    if (send.isPending) return
    setCorrected([])
    send.mutate(
      { item: id, data: valuesOf(fields, data, form.data), files: draft.files, key },
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
      {fields.map((field) => {
        const { Edit } = moduleOf(field)
        return (
          Edit && (
            <div key={field.name} className="portal-field">
              <Edit
                field={field}
                value={data[field.name]}
                onChange={(value) => correct(field.name, { data: { ...draft.data, [field.name]: value } })}
                label={labelOf(field)}
                required={field.required}
                error={errors.get(field.name)}
              />
              {field === titleField && <ArticlesFor text={String(data[field.name] ?? '')} />}
            </div>
          )
        )
      })}
      <FilesField paths={draft.files} error={errors.get('files')} onChange={(files) => correct('files', { files })} />
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

/** Errors by the field they are about: the service names `data.title` and `files.0`. */
const errorsByField = (
  errors: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(errors)
      .map(([path, message]) => {
        const [first = '', second = ''] = path.split('.')
        return [first === 'data' ? second : first, message] as const
      })
      .filter(([name]) => !without.includes(name)),
  )

/** What is sent: what the form shows and has a value, and what was cleared. */
const valuesOf = (
  fields: readonly { readonly name: string }[],
  data: RecordData,
  opened: RecordData,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map(({ name }) => [name, data[name]] as const)
      .filter(([name, value]) => value !== undefined && (value !== null || (opened[name] ?? null) !== null)),
  )
