import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { may, useUser } from '../../api/permissions.ts'
import { useOperate, type WholeProcess } from '../../api/processes.ts'

interface BeginActivitiesProps {
  readonly model: string
  readonly record: number
  readonly process: WholeProcess
}

/** A button for each activity that may begin now by request; nothing where there is none. */
export function BeginActivities({ model, record, process }: BeginActivitiesProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const user = useUser()
  const begin = useOperate(model, record, process.id)
  const open = process.ad_hoc.filter(({ activities }) => activities.length > 0)
  if (open.length === 0 || process.ended_at !== null || process.status === 'suspended' || !may(user, 'update', model))
    return null
  const current = begin.variables?.do === 'begin' ? begin.variables : undefined
  return (
    <section aria-label={t('process.begin')}>
      <h3 className="process-title">{t('process.begin')}</h3>
      <span className="task-actions">
        {open.flatMap(({ execution_id: pass, activities }) =>
          activities.map(({ element_id: element, name }) => (
            <Button
              key={`${pass} ${element}`}
              size="compact-sm"
              variant="default"
              loading={begin.isPending && current?.element === element && current.pass === pass}
              onClick={() => !begin.isPending && begin.mutate({ do: 'begin', element, pass, key: crypto.randomUUID() })}
            >
              {name ?? element}
            </Button>
          )),
        )}
      </span>
      {begin.error && (
        <p className="problem" role="alert">
          {messageOf(begin.error)}
        </p>
      )}
    </section>
  )
}
