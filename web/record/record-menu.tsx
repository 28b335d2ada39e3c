import { ActionIcon, Menu } from '@mantine/core'
import Ellipsis from 'lucide-react/icons/ellipsis'
import History from 'lucide-react/icons/history'
import LinkIcon from 'lucide-react/icons/link'
import Merge from 'lucide-react/icons/merge'
import Split from 'lucide-react/icons/split'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { may, useUser } from '../api/permissions.ts'
import type { EntityRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'

const DeleteDialog = lazy(() => import('./delete-dialog.tsx'))
const MergeDialog = lazy(() => import('./merge-dialog.tsx'))
const PastDialog = lazy(() => import('./past-dialog.tsx'))
const SplitDialog = lazy(() => import('./split-dialog.tsx'))

type Dialog = 'delete' | 'merge' | 'past' | 'split'

/** What else can be done with a record. A record that is part of another one is not written. */
export function RecordMenu({ table, record }: { readonly table: Table; readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const user = useUser()
  const [dialog, setDialog] = useState<Dialog>()
  const isOwn = record.merged_into === undefined
  const mayChange = isOwn && may(user, 'update', table.name)
  const mayCreate = mayChange && may(user, 'create', table.name)
  const mayDelete = isOwn && may(user, 'delete', table.name)
  const close = (): void => setDialog(undefined)
  const shared = { table, record, onClose: close }
  useKeys([
    { keys: 'v', label: t('past.title'), run: () => setDialog('past') },
    ...(mayChange ? [{ keys: 'm', label: t('merge.title'), run: () => setDialog('merge') }] : []),
  ])
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
          <Menu.Item leftSection={<History size={16} />} onClick={() => setDialog('past')}>
            {t('past.menu')}
          </Menu.Item>
          {mayChange && (
            <Menu.Item leftSection={<Merge size={16} />} onClick={() => setDialog('merge')}>
              {t('merge.menu')}
            </Menu.Item>
          )}
          {mayCreate && (
            <Menu.Item leftSection={<Split size={16} />} onClick={() => setDialog('split')}>
              {t('split.menu')}
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item leftSection={<Trash size={16} />} color="red" onClick={() => setDialog('delete')}>
              {t('record.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {dialog === 'delete' && <DeleteDialog {...shared} />}
        {dialog === 'merge' && <MergeDialog {...shared} />}
        {dialog === 'past' && <PastDialog {...shared} mayChange={mayChange} />}
        {dialog === 'split' && <SplitDialog {...shared} />}
      </Suspense>
    </>
  )
}
