import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { useReopen } from '../../api/portal.ts'

/** Opens a closed request again. */
export function Reopen({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const reopen = useReopen(id)
  return (
    <section className="portal-card reopen" aria-label={t('portal.reopen')}>
      <p>{t('portal.reopenWhy')}</p>
      <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        {t('portal.reopen')}
      </Button>
      {reopen.error && (
        <p className="problem" role="alert">
          {messageOf(reopen.error)}
        </p>
      )}
    </section>
  )
}
