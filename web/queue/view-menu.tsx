import { ActionIcon, Menu } from '@mantine/core'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Save from 'lucide-react/icons/save'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDeleteView, useSaveView } from '../api/change-views.ts'
import { useMessageOf } from '../api/failures.ts'
import type { View } from '../api/views.ts'
import { offerUndo, tell } from '../parts/undo.tsx'
import { type QueueSearch, viewInputOf } from './queue-search.ts'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

interface ViewMenuProps {
  readonly model: string
  readonly view: View | undefined
  readonly list: QueueSearch
  readonly mayChange: boolean
  readonly mayShare: boolean
  readonly onSaved: (view: View) => void
  readonly onDeleted: () => void
}

/** Keeps what is shown as a view; renames, shares and deletes one. */
export function ViewMenu({ model, view, list, mayChange, mayShare, onSaved, onDeleted }: ViewMenuProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [dialog, setDialog] = useState<'new' | 'edit'>()
  const remove = useDeleteView(model)
  const save = useSaveView(model)
  const close = (): void => setDialog(undefined)

  function deleteView(gone: View): void {
    const { name, scope, is_default } = gone
    remove.mutate(gone, {
      onSuccess() {
        onDeleted()
        const changes = { name, scope, is_default, ...viewInputOf(list) }
        offerUndo(t('views.deleted', { name }), t('parts.undo'), () => save.mutate({ changes }, { onSuccess: onSaved }))
      },
      onError: (error) => tell(messageOf(error)),
    })
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('views.actions')}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Save size={16} />} onClick={() => setDialog('new')}>
            {t('views.saveAs')}
          </Menu.Item>
          {view && mayChange && (
            <>
              <Menu.Item leftSection={<Pencil size={16} />} onClick={() => setDialog('edit')}>
                {t('views.edit')}
              </Menu.Item>
              <Menu.Item leftSection={<Trash size={16} />} color="red" onClick={() => deleteView(view)}>
                {t('views.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {dialog && (
          <ViewDialog
            model={model}
            view={dialog === 'edit' ? view : undefined}
            list={list}
            mayShare={mayShare}
            onClose={close}
            onSaved={(saved) => {
              close()
              if (dialog === 'new') onSaved(saved)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
