import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Process, processQuery } from '../../api/processes.ts'

interface ProcessEntryProps {
  readonly model: string
  readonly record: number
  readonly process: Process
  readonly onOpen: () => void
}

/** One process: its state, and the elements at which it stands. */
export function ProcessEntry({ model, record, process, onOpen }: ProcessEntryProps) {
  const { t } = useTranslation()
  const { id, template, status, ended_at: endedAt } = process
  const { data: whole } = useQuery({ ...processQuery(model, record, id), enabled: endedAt === null })
  const places = [...new Set(whole?.tokens.map(({ name, element_id: element }) => name ?? element))]
  return (
    <li className="process-entry">
      <Button size="compact-sm" variant="default" onClick={onOpen}>
        {template.name}
      </Button>
      <span className={status === 'incident' ? 'problem small' : 'quiet small'}>{t(`process.${status}`)}</span>
      {endedAt === null && places.length > 0 && (
        <span className="small">{t('process.at', { places: places.join(', ') })}</span>
      )}
    </li>
  )
}
