import { Button, Code } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { useLinkMessenger, useUnlinkMessenger } from '../api/profile.ts'
import type { CurrentUser } from '../api/session.ts'
import { Moment } from '../parts/time.tsx'

/** Links a chat of the messenger with the account, or unlinks it. */
export function MessengerLink({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const link = useLinkMessenger()
  const unlink = useUnlinkMessenger()
  const error = link.error ?? unlink.error
  return (
    <>
      <p className="quiet">{user.messenger_linked ? t('profile.messengerLinked') : t('profile.messengerWhy')}</p>
      {link.data && (
        <div className="stack" role="status">
          {link.data.url && (
            <a href={link.data.url} target="_blank" rel="noopener noreferrer">
              {t('profile.openBot')}
            </a>
          )}
          <p>{t('profile.sendCode')}</p>
          <Code block>/start {link.data.code}</Code>
          <p className="quiet">
            {t('profile.codeEnds')} <Moment at={link.data.expires_at} short />
          </p>
        </div>
      )}
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      {user.messenger_linked ? (
        <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate()}>
          {t('profile.unlinkMessenger')}
        </Button>
      ) : (
        <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {t('profile.linkMessenger')}
        </Button>
      )}
    </>
  )
}
