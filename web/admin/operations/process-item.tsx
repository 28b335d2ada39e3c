import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { incidentQuery, incidentsQuery } from '../../api/operations.ts'
import type { Process } from '../../api/processes.ts'
import { RecordLink } from '../../parts/record-link.tsx'
import { Moment } from '../../parts/time.tsx'

interface ProcessItemProps {
  readonly process: Process
  readonly isChosen?: boolean
  /** Left out where nothing can be done with it. */
  readonly onChoose?: () => void
}

const facts = {
  flex: 1,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: '4px 12px',
  overflowWrap: 'anywhere',
} as const

/** A process: of which template, about which record, since when, and what failed in it. */
export function ProcessItem({ process, isChosen = false, onChoose }: ProcessItemProps) {
  const { t } = useTranslation()
  const { id, template, model, record_id: record, started_at: startedAt, ended_at: endedAt } = process
  const hasFailed = process.status === 'incident'
  const { data: incidents } = useQuery({ ...incidentsQuery, enabled: hasFailed })
  const listed = incidents?.get(id)
  // Older than those that were read, or of a process that this one called.
  const { data: own } = useQuery({ ...incidentQuery(id), enabled: hasFailed && incidents !== undefined && !listed })
  const incident = hasFailed ? (listed ?? own) : undefined
  return (
    <li className="work-item" style={{ flexWrap: 'nowrap', alignItems: 'flex-start' }}>
      {onChoose && (
        <Checkbox
          size="xs"
          style={{ marginBlockStart: 2 }}
          checked={isChosen}
          onChange={onChoose}
          aria-label={t('operations.choose', { name: template.name, id })}
        />
      )}
      <div style={facts}>
        <b>{template.name}</b>
        {record === null ? (
          <span className="quiet">{t('operations.noRecord')}</span>
        ) : (
          <RecordLink model={model} id={record} />
        )}
        <span className="quiet small push">
          {t(incident ? 'operations.failedSince' : endedAt ? 'operations.endedAt' : 'operations.startedAt')}{' '}
          <Moment at={incident?.created_at ?? endedAt ?? startedAt} short />
          {' · '}
          {t('operations.number', { id, version: template.version })}
        </span>
        {incident && (
          <span className="problem" style={{ flexBasis: '100%' }}>
            {incident.element_id && <b>{incident.element_id}</b>} {incident.message}
          </span>
        )}
      </div>
    </li>
  )
}
