import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { RequestHead } from '../api/portal.ts'
import { Moment } from '../parts/time.tsx'
import { ItemIcon } from './item-icon.tsx'

/** A request in a list: what it is, and how it stands. */
export function RequestRow({ request }: { readonly request: RequestHead }) {
  const { t } = useTranslation()
  const { id, number, title, item, state, is_closed: isClosed, is_own: isOwn, created_at: createdAt } = request
  return (
    <li>
      <Link to="/portal/requests/$id" params={{ id: String(id) }} className="portal-row">
        <ItemIcon name={item?.icon} />
        <span className="portal-row-text">
          <b>{title}</b>
          <span className="quiet small">
            {[number, item?.name === title ? undefined : item?.name, isOwn ? undefined : t('portal.shared')]
              .filter(Boolean)
              .map((text) => `${text} · `)}
            <Moment at={createdAt} short />
          </span>
        </span>
        {state && <PublicState state={state} isClosed={isClosed} />}
      </Link>
    </li>
  )
}

/** How a request stands, in the words of its item. */
export const PublicState = ({ state, isClosed }: { readonly state: string; readonly isClosed: boolean }) => (
  <span className={isClosed ? 'public-state is-closed' : 'public-state'}>{state}</span>
)
