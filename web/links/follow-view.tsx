import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing } from '../api/failures.ts'
import { followedQuery } from '../api/links.ts'
import { Moment } from '../parts/time.tsx'
import { Title } from '../parts/title.tsx'
import { LinkOutcome } from './link-card.tsx'
import { LinkState } from './link-state.tsx'

/** What somebody who is no user sees of a record: how it stands, and what was said. */
export function FollowView() {
  const { t } = useTranslation()
  const { token } = useParams({ from: '/follow/$token' })
  const { data, error, refetch } = useQuery(followedQuery(token))
  if (isMissing(error)) return <LinkOutcome title={t('links.followGoneTitle')} text={t('links.followGone')} />
  if (!data) return <LinkState error={error} retry={refetch} />
  const { company, label, number, title, state, comments, has_more: hasMore } = data
  const name = `${label} ${number}`
  return (
    <main className="portal-screen">
      <Title>{title === null ? name : `${name}: ${title}`}</Title>
      <header className="request-head">
        <p className="quiet">{company}</p>
        <h1>{title ?? name}</h1>
        <p className="request-state quiet small">
          {state && <span className="public-state">{state}</span>}
          <span>{name}</span>
          <span>
            {t('links.since')} <Moment at={data.created_at} />, {t('links.changed')} <Moment at={data.updated_at} />
          </span>
        </p>
      </header>
      <section className="portal-card" aria-label={t('links.conversation')}>
        <h2>{t('links.conversation')}</h2>
        {hasMore && <p className="quiet">{t('links.more')}</p>}
        {comments.length === 0 ? (
          <p className="quiet">{t('links.empty')}</p>
        ) : (
          <ol className="plain-list conversation">
            {comments.map(({ name: author, is_company: isTeam, body, created_at: at }, index) => (
              <li key={index} className={isTeam ? 'said is-team' : 'said'}>
                <p className="said-by">
                  <b>{author}</b>{' '}
                  <span className="quiet small">
                    <Moment at={at} />
                  </span>
                </p>
                <p className="said-text">{body}</p>
              </li>
            ))}
          </ol>
        )}
      </section>
    </main>
  )
}
