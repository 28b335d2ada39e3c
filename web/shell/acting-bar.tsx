import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endSession } from '../api/session.ts'
import { leaveTo } from './leave-to.ts'

/** Says that an administrator acts as somebody else, and ends it. */
export function ActingBar({ name }: { readonly name: string }) {
  const { t } = useTranslation()
  const end = useMutation({ mutationFn: endSession, onSuccess: () => leaveTo('/') })
  return (
    <div className="acting-bar" role="status">
      {t('shell.actingAs', { name })}
      <Button size="compact-sm" variant="white" color="dark" loading={end.isPending} onClick={() => end.mutate()}>
        {t('shell.endActing')}
      </Button>
    </div>
  )
}
