import { Button, Group, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { type EntityRecord, titleOf, useDeleteRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'

interface DeleteDialogProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly onClose: () => void
}

/** Asks before a record is deleted. */
export default function DeleteDialog({ table, record, onClose }: DeleteDialogProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const remove = useDeleteRecord(table.name)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('record.deleteTitle', { title: titleOf(record, table.title_field) })}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <div className="stack">
        <p>{t('record.deleteWhy')}</p>
        {remove.error && (
          <p className="problem" role="alert">
            {messageOf(remove.error)}
          </p>
        )}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('parts.cancel')}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(record, {
                onSuccess: () => void navigate({ to: '/e/$model', params: { model: table.name } }),
              })
            }
          >
            {t('record.delete')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
