import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isMissing } from '../../api/failures.ts'
import { itemFormQuery, itemsQuery } from '../../api/portal.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { Title } from '../../parts/title.tsx'
import { NotFound } from '../../shell/screen-states.tsx'
import { BackLink } from '../back-link.tsx'
import { ItemIcon } from '../item-icon.tsx'
import { ItemForm } from './item-form.tsx'

/** The form of one item. */
export function ItemView() {
  const id = Number(useParams({ from: '/portal/items/$id' }).id)
  const { data: form, error, refetch } = useQuery(itemFormQuery(id))
  const { data: items } = useQuery(itemsQuery)
  const item = items?.find((one) => one.id === id)
  if (isMissing(error)) return <NotFound />
  return (
    <div className="portal-screen">
      <BackLink to="/portal" />
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : form ? (
        <>
          <Title>{form.label}</Title>
          <header className="item-head">
            <ItemIcon name={item?.icon} />
            <div>
              <h1>{form.label}</h1>
              {item?.description && <p className="quiet">{item.description}</p>}
            </div>
          </header>
          <ItemForm key={id} id={id} form={form} />
        </>
      ) : (
        <Loading lines={6} height={44} />
      )}
    </div>
  )
}
