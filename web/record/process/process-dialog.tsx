import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { tasksQuery } from '../../api/about-record.ts'
import { useUser } from '../../api/permissions.ts'
import { type Process, processQuery } from '../../api/processes.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import OpenTasks from '../../tasks/open-tasks.tsx'
import { BeginActivities } from './begin-activities.tsx'
import { Incidents } from './incidents.tsx'
import { OperateProcess } from './operate-process.tsx'
import { ProcessHistory } from './process-history.tsx'
import { ProcessPicture } from './process-picture.tsx'
import { ProcessWaits } from './process-waits.tsx'

interface ProcessDialogProps {
  readonly model: string
  /** The record that it is about. */
  readonly record: number
  readonly process: Process
  readonly onClose: () => void
}

/** One process of a record: its picture, what it waits for, its tasks, what may begin, and for administrators what operates it. */
export default function ProcessDialog({ model, record, process, onClose }: ProcessDialogProps) {
  const { t } = useTranslation()
  const isAdministrator = useUser().permissions.includes('*')
  const { data: whole, error, refetch } = useQuery(processQuery(model, record, process.id))
  const { data: tasks = [] } = useQuery(tasksQuery(model, record))
  const own = tasks.filter(({ instance_id: instance }) => instance === process.id)
  const about = { model, record }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={process.template.name}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {error && !whole ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !whole ? (
        <Loading lines={6} height={40} />
      ) : (
        <div className="stack">
          <p className={whole.status === 'incident' ? 'problem' : 'quiet'} role="status">
            {t(`process.${whole.status}`)}
          </p>
          <ProcessPicture {...about} process={whole} />
          <Incidents {...about} process={whole} mayRetry={isAdministrator} />
          {own.length > 0 && (
            <OpenTasks tasks={own} model={model} id={record} hasKeys={false} label={t('record.tasks')} />
          )}
          <ProcessWaits process={whole} />
          <BeginActivities {...about} process={whole} />
          <ProcessHistory process={whole} />
          {isAdministrator && whole.ended_at === null && <OperateProcess {...about} process={whole} />}
        </div>
      )}
    </Modal>
  )
}
