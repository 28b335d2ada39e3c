import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing } from '../../api/failures.ts'
import { type PortalRequest, requestQuery } from '../../api/portal.ts'
import { ShownFields } from '../../fields/shown-fields.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Moment } from '../../parts/time.tsx'
import { Title } from '../../parts/title.tsx'
import { NotFound } from '../../shell/screen-states.tsx'
import { BackLink } from '../back-link.tsx'
import { PublicState } from '../request-row.tsx'
import { Conversation } from './conversation.tsx'
import { People } from './people.tsx'
import { Rating } from './rating.tsx'
import { Reopen } from './reopen.tsx'
import { Reply } from './reply.tsx'
import { RequestFile } from './request-file.tsx'

/** One request: how it stands, what was said, and what whoever asked may do now. */
export function RequestView() {
  const id = Number(useParams({ from: '/portal/requests/$id' }).id)
  const { data: request, error, refetch } = useQuery(requestQuery(id))
  if (isMissing(error)) return <NotFound />
  return (
    <div className="portal-screen request-screen">
      <BackLink to="/portal/requests" />
      {request ? (
        <Shown key={id} request={request} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading lines={8} height={28} />
      )}
    </div>
  )
}

function Shown({ request }: { readonly request: PortalRequest }) {
  const { t } = useTranslation()
  const { sent } = useSearch({ from: '/portal/requests/$id' })
  const { id, title, actions, fields } = request
  const may = (action: PortalRequest['actions'][number]): boolean => actions.includes(action)
  return (
    <>
      <Title>{title}</Title>
      <RequestHeader request={request} />
      {sent && (
        <p className="portal-notice" role="status">
          {t('portal.sent')}
        </p>
      )}
      {may('rate') && <Rating key={request.rating?.rated_at ?? ''} request={request} />}
      {may('reopen') && <Reopen id={id} />}
      <section className="portal-card" aria-label={t('portal.conversation')}>
        <h2>{t('portal.conversation')}</h2>
        <Conversation request={request} />
        {may('comment') ? <Reply id={id} /> : <p className="quiet">{t('portal.merged')}</p>}
      </section>
      {fields.some(({ value }) => value !== null) && (
        <section className="portal-card" aria-label={t('portal.details')}>
          <h2>{t('portal.details')}</h2>
          <ShownFields fields={fields} file={(path) => <RequestFile key={path} id={id} path={path} />} />
        </section>
      )}
      <People request={request} mayAdd={may('add_watchers')} />
    </>
  )
}

function RequestHeader({ request }: { readonly request: PortalRequest }) {
  const { t } = useTranslation()
  const { number, title, item, state, is_closed: isClosed, created_at: createdAt, promised_at: promisedAt } = request
  return (
    <header className="request-head">
      <h1>{title}</h1>
      <p className="quiet small">
        {[number, item?.name].filter(Boolean).map((text) => `${text} · `)}
        {t('portal.sentOn')} <Moment at={createdAt} />
      </p>
      <p className="request-state">
        {state && (
          <>
            <span className="visually-hidden">{t('portal.state')}: </span>
            <PublicState state={state} isClosed={isClosed} />
          </>
        )}
        {promisedAt && !isClosed && (
          <span>
            {t('portal.promised')} <Moment at={promisedAt} />
          </span>
        )}
      </p>
    </header>
  )
}
