import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { tasksQuery } from '../api/about-record.ts'
import { Loading } from '../parts/states.tsx'

const OpenTasks = lazy(() => import('../tasks/open-tasks.tsx'))

/** The tasks of processes that wait for somebody; nothing where there are none. */
export function TasksPanel({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const { data: tasks } = useQuery(tasksQuery(model, id))
  if (!tasks?.length) return null
  return (
    <section className="side-panel" aria-label={t('record.tasks')}>
      <h2>{t('record.tasks')}</h2>
      <Suspense fallback={<Loading lines={2} />}>
        <OpenTasks tasks={tasks} model={model} id={id} hasKeys />
      </Suspense>
    </section>
  )
}
