import { ActionIcon, Button, Group, Menu, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import LinkIcon from 'lucide-react/icons/link'
import Trash from 'lucide-react/icons/trash-2'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { may, useUser } from '../api/permissions.ts'
import { type EntityRecord, titleOf, useDeleteRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'

/** What else can be done with a record. */
export function RecordMenu({ table, record }: { readonly table: Table; readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const [isAsking, question] = useDisclosure(false)
  const remove = useDeleteRecord(table.name)
  const mayDelete = may(user, 'delete', table.name)
  const title = titleOf(record, table.title_field)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('record.more')}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<LinkIcon size={16} />}
            onClick={() => void navigator.clipboard.writeText(window.location.href)}
          >
            {t('record.copyLink')}
          </Menu.Item>
          {mayDelete && (
            <Menu.Item leftSection={<Trash size={16} />} color="red" onClick={question.open}>
              {t('record.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isAsking}
        onClose={question.close}
        title={t('record.deleteTitle', { title })}
        closeButtonProps={{ 'aria-label': t('parts.close') }}
      >
        <p>{t('record.deleteWhy')}</p>
        {remove.error && (
          <p className="problem" role="alert">
            {messageOf(remove.error)}
          </p>
        )}
        <Group justify="end">
          <Button variant="default" onClick={question.close}>
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
      </Modal>
    </>
  )
}
