import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { OfferedItem } from '../../api/portal.ts'
import { Empty } from '../../parts/states.tsx'
import { ItemIcon } from '../item-icon.tsx'

/** What can be asked for, by category in the order of the items; those without one come last. */
export function ItemGroups({ items }: { readonly items: readonly OfferedItem[] }) {
  const { t } = useTranslation()
  if (items.length === 0) return <Empty title={t('portal.noItems')}>{t('portal.noItemsWhy')}</Empty>
  const groups = Map.groupBy(items, ({ category }) => category ?? '')
  const names = [...groups.keys()].toSorted((a, b) => Number(a === '') - Number(b === ''))
  return (
    <section aria-label={t('portal.items')}>
      <h2 className="visually-hidden">{t('portal.items')}</h2>
      {names.map((name) => (
        <div key={name} className="item-group">
          {(names.length > 1 || name !== '') && <h3>{name || t('portal.others')}</h3>}
          <ul className="plain-list item-cards">
            {groups.get(name)?.map((item) => (
              <li key={item.id}>
                <ItemCard item={item} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

export function ItemCard({ item: { id, name, description, icon } }: { readonly item: OfferedItem }) {
  return (
    <Link to="/portal/items/$id" params={{ id: String(id) }} className="item-card">
      <ItemIcon name={icon} />
      <span>
        <b>{name}</b>
        {description && <span className="quiet clamp">{description}</span>}
      </span>
    </Link>
  )
}
