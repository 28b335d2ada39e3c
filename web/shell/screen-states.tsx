import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing } from '../api/failures.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

export const ScreenLoading = () => (
  <div className="screen">
    <Loading lines={8} height={28} />
  </div>
)

/** An address that leads nowhere, or to something that the caller may not see. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <div className="screen">
      <Title>{t('shell.notFound')}</Title>
      <h1 className="visually-hidden">{t('shell.notFound')}</h1>
      <Empty
        title={t('shell.notFound')}
        action={
          <Button variant="default" component={Link} to="/">
            {t('shell.toStart')}
          </Button>
        }
      >
        {t('shell.notFoundWhy')}
      </Empty>
    </div>
  )
}

export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <NotFound />
  function retry(): void {
    // What a screen reads before it is shown, and the screen itself, are asked for anew.
    void router.invalidate()
    reset()
  }
  return (
    <div className="screen">
      <Failed error={error} retry={retry} />
    </div>
  )
}
