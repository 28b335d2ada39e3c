import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isUsedUp, verifyEmail } from '../api/links.ts'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkForm, type LinkValues } from './link-form.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** Confirms an address by a button: programs that look at links in mails must not confirm anything. */
export function VerifyEmailView() {
  const { t } = useTranslation()
  const { token } = useParams({ from: '/email/verify/$token' })
  const confirming = useMutation({ mutationFn: (_none: LinkValues) => verifyEmail(token) })
  if (confirming.isSuccess) return <LinkOutcome title={t('links.verifyDoneTitle')} text={t('links.verifyDone')} />
  if (isUsedUp(confirming.error))
    return (
      <LinkOutcome title={t('links.goneTitle')} text={t('links.verifyGone')}>
        <ToSignIn />
      </LinkOutcome>
    )
  return (
    <LinkCard title={t('links.verifyTitle')}>
      <p className="quiet">{t('links.verifyText')}</p>
      <LinkForm ask={[]} action={t('links.verifyAction')} sending={confirming} />
    </LinkCard>
  )
}
