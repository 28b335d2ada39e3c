import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'

/** Nothing is there: says why, and what to do. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="notice" role="status">
      <p className="notice-title">{title}</p>
      {children && <p className="quiet">{children}</p>}
      {action}
    </div>
  )
}

/** Something failed: says what, in the words of the service, and lets one try again. */
export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  return (
    <div className="notice" role="alert">
      <p className="notice-title">{t('failures.title')}</p>
      <p className="quiet">{messageOf(error)}</p>
      {retry && (
        <Button variant="default" onClick={retry}>
          {t('failures.retry')}
        </Button>
      )}
    </div>
  )
}

/** Lines as high as what is being read, so that nothing jumps. */
export function Loading({ lines = 3, height = 20 }: { readonly lines?: number; readonly height?: number }) {
  const { t } = useTranslation()
  return (
    <div className="loading" aria-busy="true" aria-label={t('parts.loading')} role="status">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </div>
  )
}
