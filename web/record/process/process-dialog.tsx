import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { tasksQuery } from '../../api/about-record.ts'
import { diagramQuery, type Process, processQuery, type WholeProcess } from '../../api/processes.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { Moment } from '../../parts/time.tsx'
import OpenTask from './open-task.tsx'
import { type Mark, ProcessPicture } from './process-picture.tsx'

interface ProcessDialogProps {
  readonly model: string
  /** The record that it is about. */
  readonly record: number
  readonly process: Process
  readonly onClose: () => void
}

/** Where a process is: its picture, what it waits for, and its tasks, which can be done here. */
export default function ProcessDialog({ model, record, process, onClose }: ProcessDialogProps) {
  const { t } = useTranslation()
  const { template } = process
  const { data: whole, error, refetch } = useQuery(processQuery(model, record, process.id))
  const { data: diagram, error: noDiagram } = useQuery(diagramQuery(template))
  const { data: tasks = [] } = useQuery(tasksQuery(model, record))
  const own = tasks.filter(({ instance_id: instance }) => instance === process.id)
  const waits = whole?.tokens.filter(({ kind }) => kind !== 'task') ?? []
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={template.name}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !whole || (!diagram && !noDiagram) ? (
        <Loading lines={6} height={40} />
      ) : (
        <div className="stack">
          {diagram && (
            <ProcessPicture
              xml={diagram.bpmn_xml}
              marks={marksOf(whole)}
              label={t('process.picture', { name: template.name })}
            />
          )}
          {own.length > 0 && (
            <ul className="plain-list" aria-label={t('record.tasks')}>
              {own.map((task) => (
                <OpenTask key={task.id} task={task} model={model} id={record} />
              ))}
            </ul>
          )}
          {waits.length > 0 && (
            <ul className="plain-list" aria-label={t('process.waits')}>
              {waits.map((token, index) => (
                <li key={index} className="process-wait">
                  <b>{token.name ?? token.element_id}</b>
                  <span className="quiet">
                    {t(waitWords[token.kind] ?? 'process.waits')} {token.event}{' '}
                    {token.due_at && <Moment at={token.due_at} />}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {whole.incidents
            .filter(({ status }) => status === 'open')
            .map(({ id, message }) => (
              <p key={id} className="problem" role="alert">
                {message}
              </p>
            ))}
          {whole.status === 'completed' && <p className="quiet">{t('process.completed')}</p>}
          {whole.status === 'cancelled' && <p className="quiet">{t('process.cancelled')}</p>}
        </div>
      )}
    </Modal>
  )
}

const waitWords: Readonly<
  Record<string, 'process.timer' | 'process.message' | 'process.signal' | 'process.condition' | 'process.failed'>
> = {
  timer: 'process.timer',
  message: 'process.message',
  signal: 'process.signal',
  condition: 'process.condition',
  failed: 'process.failed',
}

/** What to mark in the picture: where it is counts more than where it was. */
function marksOf({ history, tokens, incidents }: WholeProcess): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { element_id: id, status } of history) if (id !== null && status === 'completed') marks.set(id, 'done')
  for (const { element_id: id } of tokens) marks.set(id, 'active')
  for (const { element_id: id, status } of incidents) if (id !== null && status === 'open') marks.set(id, 'failed')
  return marks
}
