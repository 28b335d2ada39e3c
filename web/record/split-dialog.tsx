import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Comment, timelineQuery } from '../api/about-record.ts'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { useSplit } from '../api/merge.ts'
import type { EntityRecord, RecordData } from '../api/records.ts'
import { fieldsOf, labelOf, labelsOf, type Table } from '../api/tables.ts'
import { Empty, Loading } from '../parts/states.tsx'

interface SplitDialogProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly onClose: () => void
}

/** The service moves so many at once. */
const maxComments = 10

/** Makes a record of comments that are about something else. */
export default function SplitDialog({ table, record, onClose }: SplitDialogProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [title, setTitle] = useState('')
  const split = useSplit(table.name, record.id)
  const { data } = useInfiniteQuery(timelineQuery(table.name, record.id))
  const comments = data?.pages
    .flatMap((page) => page.data)
    .filter(({ kind }) => kind === 'comment')
    .map((entry) => entry.data as unknown as Comment)
  const titleField = fieldsOf(table).find(({ name }) => name === table.title_field)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (chosen.size === 0 || split.isPending) return
    const values = { ...requiredOf(table, record), ...(titleField && { [titleField.name]: title.trim() }) }
    split.mutate(
      { comments: [...chosen], data: values },
      {
        onSuccess({ id }) {
          onClose()
          void navigate({ to: '/e/$model/$id', params: { model: table.name, id: String(id) } })
        },
      },
    )
  }
  const titleError = titleField && fieldErrorsOf(split.error, labelsOf([titleField]))[titleField.name]
  return (
    <Modal opened onClose={onClose} title={t('split.title')} closeButtonProps={{ 'aria-label': t('parts.close') }}>
      {!comments && <Loading lines={4} />}
      {comments?.length === 0 && <Empty title={t('split.empty')}>{t('split.emptyWhy')}</Empty>}
      {comments && comments.length > 0 && (
        <form className="stack" onSubmit={submit}>
          <p className="quiet">{t('split.why')}</p>
          <ul className="plain-list split-comments">
            {comments.map(({ id, body, user, from }) => (
              <li key={id}>
                <Checkbox
                  label={`${user?.name ?? from?.name ?? from?.email ?? t('record.somebody')}: ${body.slice(0, 200)}`}
                  checked={chosen.has(id)}
                  disabled={!chosen.has(id) && chosen.size >= maxComments}
                  onChange={() => setChosen(chosen.symmetricDifference(new Set([id])))}
                />
              </li>
            ))}
          </ul>
          {titleField && (
            <TextInput
              label={labelOf(titleField)}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
              error={titleError}
            />
          )}
          {split.error && !titleError && (
            <p className="problem" role="alert">
              {messageOf(split.error)}
            </p>
          )}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('parts.cancel')}
            </Button>
            <Button type="submit" disabled={chosen.size === 0} loading={split.isPending}>
              {t('split.action')}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}

/** What a new record must have, as the one has it that it comes from; states begin anew. */
const requiredOf = (table: Table, { data }: EntityRecord): RecordData =>
  Object.fromEntries(
    fieldsOf(table)
      .filter(({ name, required, type }) => required && type !== 'state_model' && data[name] !== null)
      .map(({ name }) => [name, data[name]]),
  )
