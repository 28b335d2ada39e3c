import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaveView } from '../api/change-views.ts'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import type { View } from '../api/views.ts'
import { type QueueSearch, viewInputOf } from './queue-search.ts'

interface ViewDialogProps {
  readonly model: string
  /** The view that is changed; left out for a new one. */
  readonly view: View | undefined
  readonly list: QueueSearch
  readonly mayShare: boolean
  readonly onClose: () => void
  readonly onSaved: (view: View) => void
}

/** The name of a view, who sees it, and whether the table opens with it. A new one keeps what is shown. */
export default function ViewDialog({ model, view, list, mayShare, onClose, onSaved }: ViewDialogProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.scope === 'shared')
  const [isDefault, setDefault] = useState(view?.is_default ?? false)
  const save = useSaveView(model)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const changes = {
      name: name.trim(),
      scope: isShared ? 'shared' : 'private',
      is_default: isDefault,
      ...(!view && viewInputOf(list)),
    } as const
    save.mutate({ ...(view && { view }), changes }, { onSuccess: onSaved })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={view ? t('views.edit') : t('views.saveAs')}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={t('views.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
          error={save.error ? (fieldErrorsOf(save.error)['name'] ?? messageOf(save.error)) : undefined}
        />
        {mayShare && (
          <Checkbox
            label={t('views.shared')}
            description={t('views.sharedWhy')}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <Checkbox
          label={t('views.default')}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('parts.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            {t('views.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
