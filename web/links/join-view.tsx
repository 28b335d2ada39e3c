import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing } from '../api/failures.ts'
import { acceptInvitation, type Invitation, invitationQuery } from '../api/links.ts'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkForm, type LinkValues } from './link-form.tsx'
import { LinkState } from './link-state.tsx'
import { ToSignIn } from './to-sign-in.tsx'

/** An invited person joins a company: with a new account, or with the password of the one that there is. */
export function JoinView() {
  const { t } = useTranslation()
  const { token } = useParams({ from: '/join/$token' })
  const { data, error, refetch } = useQuery(invitationQuery(token))
  if (isMissing(error)) return <LinkOutcome title={t('links.joinGoneTitle')} text={t('links.joinGone')} />
  if (!data) return <LinkState error={error} retry={refetch} />
  return <Join token={token} invitation={data} />
}

function Join({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const { t } = useTranslation()
  const { email, tenant, invited_by: by, has_account: hasAccount } = invitation
  const company = tenant.name
  const joining = useMutation({ mutationFn: (values: LinkValues) => acceptInvitation(token, values) })
  if (joining.isSuccess)
    return (
      <LinkOutcome title={t('links.joinDoneTitle')} text={t('links.joinDone', { company })}>
        <ToSignIn />
      </LinkOutcome>
    )
  if (isMissing(joining.error)) return <LinkOutcome title={t('links.joinGoneTitle')} text={t('links.joinGone')} />
  return (
    <LinkCard title={t('links.joinTitle', { company })}>
      <p>{by ? t('links.invitedBy', { by, company }) : t('links.invited', { company })}</p>
      <p className="quiet">{hasAccount ? t('links.hasAccount') : t('links.joinAs', { email })}</p>
      <LinkForm
        ask={hasAccount ? ['currentPassword'] : ['name', 'newPassword', 'repeat']}
        action={t('links.joinAction')}
        sending={joining}
      />
    </LinkCard>
  )
}
