import { useTranslation } from 'react-i18next'
import type { PortalRequest } from '../../api/portal.ts'
import { Moment } from '../../parts/time.tsx'
import { RequestFile } from './request-file.tsx'

/** Files that were sent without words have their names for a text: the links say them. */
const isNames = (body: string, files: PortalRequest['conversation'][number]['attachments']): boolean =>
  files.length > 0 && body === files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join(', ')

/** What was said, oldest first. */
export function Conversation({ request }: { readonly request: PortalRequest }) {
  const { t } = useTranslation()
  const { id, conversation, has_more: hasMore } = request
  if (conversation.length === 0) return <p className="quiet">{t('portal.noConversation')}</p>
  return (
    <>
      {hasMore && <p className="quiet">{t('portal.earlier')}</p>}
      <ol className="plain-list conversation" aria-live="polite">
        {conversation.map(({ id: entry, author, body, attachments, is_edited: isEdited, created_at: at }) => (
          <li key={entry} className={author.is_you ? 'said is-mine' : author.is_team ? 'said is-team' : 'said'}>
            <p className="said-by">
              <b>{author.is_you ? t('portal.you') : (author.name ?? t('portal.team'))}</b>{' '}
              <span className="quiet small">
                <Moment at={at} short />
                {isEdited && ` · ${t('portal.edited')}`}
              </span>
            </p>
            {!isNames(body, attachments) && <p className="said-text">{body}</p>}
            {attachments.length > 0 && (
              <p className="files">
                {attachments.map(({ path }) => (
                  <RequestFile key={path} id={id} path={path} />
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
