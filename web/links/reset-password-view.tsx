import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isUsedUp, resetPassword } from '../api/links.ts'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkForm, type LinkValues } from './link-form.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Sets a new password. */
export function ResetPasswordView() {
  const { t } = useTranslation()
  const { token } = useParams({ from: '/password/reset/$token' })
  const setting = useMutation({
    mutationFn: ({ password = '', password_confirmation = '' }: LinkValues) =>
      resetPassword({ token, password, password_confirmation }),
  })
  if (setting.isSuccess)
    return (
      <LinkOutcome title={t('links.resetDoneTitle')} text={t('links.resetDone')}>
        <ToSignIn />
      </LinkOutcome>
    )
  if (isUsedUp(setting.error))
    return (
      <LinkOutcome title={t('links.goneTitle')} text={t('links.resetGone')}>
        <a href="/password/forgot">{t('links.resetAgain')}</a>
      </LinkOutcome>
    )
  return (
    <LinkCard title={t('links.resetTitle')}>
      <p className="quiet">{t('links.resetText')}</p>
      <LinkForm ask={['newPassword', 'repeat']} action={t('links.resetAction')} sending={setting} />
    </LinkCard>
  )
}
