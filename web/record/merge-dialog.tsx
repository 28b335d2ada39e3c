import { Button, Group, Modal, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { candidatesQuery, type Merge, useMerge, useMergePreview, useUnmerge } from '../api/merge.ts'
import { type EntityRecord, titleOf } from '../api/records.ts'
import { fieldsOf, labelOf, type Table } from '../api/tables.ts'
import { Loading } from '../parts/states.tsx'
import { offerUndo } from '../parts/undo.tsx'
import { useTellUnmerged } from './use-tell-unmerged.ts'

interface MergeDialogProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly onClose: () => void
}

/** A merge takes longer to look at than a change. */
const undoMs = 20_000

/** Makes a record part of another one: finds that, says what would move, and does it. */
export default function MergeDialog({ table, record, onClose }: MergeDialogProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const [into, setInto] = useState<number>()
  const preview = useMergePreview(table.name)
  const merge = useMerge(table.name)
  const unmerge = useUnmerge(table.name)
  const tellUnmerged = useTellUnmerged(table)

  function choose(id: number | undefined): void {
    setInto(id)
    merge.reset()
    if (id === undefined) preview.reset()
    else preview.mutate({ id: record.id, into: id })
  }
  function perform(target: number): void {
    merge.mutate(
      { id: record.id, into: target },
      {
        onSuccess() {
          onClose()
          void navigate({ to: '/e/$model/$id', params: { model: table.name, id: String(target) } })
          offerUndo(
            t('merge.done', { title: titleOf(record, table.title_field) }),
            t('parts.undo'),
            () => unmerge.mutate(record.id, { onSuccess: tellUnmerged }),
            undoMs,
          )
        },
      },
    )
  }
  const error = merge.error ?? preview.error
  return (
    <Modal opened onClose={onClose} title={t('merge.title')} closeButtonProps={{ 'aria-label': t('parts.close') }}>
      <div className="stack">
        <p className="quiet">{t('merge.why')}</p>
        <ChooseRecord table={table} except={record.id} onChoose={choose} />
        {preview.isPending && <Loading lines={2} />}
        {preview.data && <WhatMoves table={table} merge={preview.data} />}
        {error && (
          <p className="problem" role="alert">
            {messageOf(error)}
          </p>
        )}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('parts.cancel')}
          </Button>
          <Button
            disabled={into === undefined || !preview.data}
            loading={merge.isPending}
            onClick={() => into !== undefined && perform(into)}
          >
            {t('merge.action')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

interface ChooseRecordProps {
  readonly table: Table
  readonly except: number
  readonly onChoose: (id: number | undefined) => void
}

/** Finds a record of the table by its number or words. */
function ChooseRecord({ table, except, onChoose }: ChooseRecordProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string }>()
  const [words] = useDebouncedValue(typed.trim(), 200)
  const { data: found = [] } = useQuery(candidatesQuery(table.name, words === chosen?.label ? '' : words))
  const items = found
    .filter(({ id }) => id !== except)
    .map(({ id, title }) => ({ value: String(id), label: `${id} ${title ?? ''}`.trim() }))
  const isListed = items.some(({ value }) => value === chosen?.value)
  return (
    <Select
      label={t('merge.into')}
      placeholder={t('merge.find')}
      data={chosen && !isListed ? [chosen, ...items] : items}
      value={chosen?.value ?? null}
      onChange={(value) => {
        setChosen(items.find((item) => item.value === value))
        onChoose(value === null ? undefined : Number(value))
      }}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={words === '' ? t('merge.find') : t('merge.nothing')}
      data-autofocus
    />
  )
}

const counted = ['comments', 'messages', 'watchers', 'links', 'references', 'files'] as const

/** What a merge would move, fill and end. */
function WhatMoves({ table, merge }: { readonly table: Table; readonly merge: Merge }) {
  const { t } = useTranslation()
  const { moves, filled, not_filled: left, cancelled_processes: ended } = merge
  const names = (of: readonly string[]): string =>
    of.map((name) => labelOf(fieldsOf(table).find((field) => field.name === name) ?? { name })).join(', ')
  const lines = counted.filter((what) => moves[what] > 0)
  return (
    <div role="status">
      <p>{lines.length > 0 ? t('merge.moves') : t('merge.movesNothing')}</p>
      <ul className="merge-moves">
        {lines.map((what) => (
          <li key={what}>{t(`merge.${what}`, { count: moves[what] })}</li>
        ))}
        {filled.length > 0 && <li>{t('merge.filled', { fields: names(filled) })}</li>}
        {left.length > 0 && <li>{t('merge.notFilled', { fields: names(left) })}</li>}
        {ended.length > 0 && <li>{t('merge.processes', { count: ended.length })}</li>}
      </ul>
    </div>
  )
}
