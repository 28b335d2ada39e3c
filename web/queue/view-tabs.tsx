import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSaveView } from '../api/change-views.ts'
import { useMessageOf } from '../api/failures.ts'
import { may, useUser } from '../api/permissions.ts'
import { type View, viewCountsQuery } from '../api/views.ts'
import { noView, type Shown, viewInputOf } from './queue-search.ts'
import { ViewMenu } from './view-menu.tsx'

interface ViewTabsProps {
  readonly model: string
  readonly views: readonly View[]
  readonly shown: Shown
  /** Shows a view, or none. */
  readonly onChoose: (view: number) => void
}

/** The views of a table with their exact counts; what is shown can be kept as one. */
export function ViewTabs({ model, views, shown, onChoose }: ViewTabsProps) {
  const { t } = useTranslation()
  const user = useUser()
  const messageOf = useMessageOf()
  const { data: counts } = useQuery({ ...viewCountsQuery(model), enabled: views.length > 0 })
  const save = useSaveView(model)
  const { view, list, isChanged } = shown
  if (views.length === 0 && !isChanged) return null
  const mayShare = may(user, 'share', 'views')
  const mayChange = view !== undefined && (view.owner === user.id || user.roles.includes('admin'))
  const store = (): void => {
    if (view)
      save.mutate({ view, changes: { name: view.name, ...viewInputOf(list) } }, { onSuccess: () => onChoose(view.id) })
  }
  return (
    <div className="view-bar">
      <nav className="view-tabs" aria-label={t('views.title')}>
        <ViewTab model={model} id={noView} name={t('views.all')} isCurrent={!view} />
        {views.map(({ id, name, problem }) => (
          <ViewTab
            key={id}
            model={model}
            id={id}
            name={name}
            count={counts?.[id] ?? undefined}
            problem={problem}
            isCurrent={view?.id === id}
          />
        ))}
      </nav>
      {save.error && (
        <span className="problem" role="alert">
          {messageOf(save.error)}
        </span>
      )}
      {isChanged && mayChange && (
        <Button size="compact-sm" variant="light" loading={save.isPending} onClick={store}>
          {t('views.save')}
        </Button>
      )}
      <ViewMenu
        model={model}
        view={view}
        list={list}
        mayChange={mayChange}
        mayShare={mayShare}
        onSaved={({ id }) => onChoose(id)}
        onDeleted={() => onChoose(noView)}
      />
    </div>
  )
}

interface ViewTabProps {
  readonly model: string
  readonly id: number
  readonly name: string
  readonly count?: number | undefined
  readonly problem?: string | null
  readonly isCurrent: boolean
}

const ViewTab = ({ model, id, name, count, problem, isCurrent }: ViewTabProps) => (
  <Link
    to="/e/$model"
    params={{ model }}
    search={{ view: id }}
    className={isCurrent ? 'view-tab is-active' : 'view-tab'}
    aria-current={isCurrent ? 'page' : undefined}
    title={problem ?? undefined}
  >
    {name}
    {count !== undefined && <span className="count">{count}</span>}
  </Link>
)
